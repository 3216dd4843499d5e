// What operators do, in words. An action that is missing here is shown by its name.
const SENTENCES: Record<string, string> = {
  "approval.request": "Asked for a change that needs a second person",
  "approval.approve": "Approved a change of another operator",
  "approval.reject": "Rejected a change of another operator",
  "approval.expire": "Ended a request that was not decided in time",
  "application.approve": "Approved an application",
  "application.reject": "Rejected an application",
  "merchant.rename": "Renamed a merchant",
  "merchant.rate-limit": "Changed how many requests of a merchant may be in progress",
  "merchant.require-bound": "Changed whether a merchant must bind its signatures",
  "merchant.rotate-key": "Replaced a merchant's key",
  "merchant.suspend": "Suspended a merchant",
  "merchant.reinstate": "Reinstated a merchant",
  "domain.remove": "Removed a domain",
  "campaign.create": "Created a campaign",
  "campaign.edit": "Edited a campaign",
  "campaign.activate": "Activated a campaign",
  "campaign.pause": "Paused a campaign",
  "campaign.resume": "Resumed a campaign",
  "campaign.end": "Ended a campaign",
  "participant.receiver": "Changed where a participant is paid",
  "participant.hold": "Held a participant",
  "participant.release": "Released a participant",
  "payout.create": "Recorded a payout",
  "payout.reverse": "Reversed a payout",
  "payout-run.create": "Created a payout run",
  "payout-run.approve": "Approved a payout run",
  "payout-run.export": "Exported a payout run",
  "payout-run.submit": "Marked a payout run as submitted",
  "payout-run.results": "Imported the results of a payout run",
  "payout-run.prove": "Compared a payout run with the chain",
  "payout-run.cancel": "Cancelled a payout run",
  "deposit.overrule": "Overruled the state of a deposit",
  "deposits.import": "Imported deposits",
  "deposits.ingest": "Reported deposits",
  "token.create": "Created a token",
  "token.revoke": "Revoked a token",
  "token.refuse": "Sent too many wrong tokens",
  "session.create": "Signed in",
  "session.end": "Signed out",
  "session.refuse": "Tried to sign in with a wrong token",
  "bootstrap.close": "Switched the bootstrap token off",
  "bootstrap.open": "Switched the bootstrap token on",
  "secret.rotate": "Began to use a new version of the secret",
  "secret.retire": "Retired a version of the secret",
  "job.retry": "Retried a job",
};

/** The actions that the log can be filtered by, in words. */
export const AUDIT_ACTIONS = [...Object.entries(SENTENCES), ["payout.status", "Changed a payout's status"] as const]
  .map(([value, label]) => ({ value, label }))
  .sort((one, other) => one.label.localeCompare(other.label));

const PAYOUT_MOVES: Record<string, string> = {
  "PENDING FAILED": "Cancelled payout",
  "PENDING SUBMITTED": "Marked payout submitted",
  "SUBMITTED CONFIRMED": "Marked payout confirmed",
  "SUBMITTED FAILED": "Marked payout failed",
};

export function sentenceOf(action: string, detail: Record<string, unknown>): string {
  if (action === "payout.status") return PAYOUT_MOVES[`${detail.from} ${detail.to}`] ?? "Changed a payout's status";
  return SENTENCES[action] ?? action;
}

/** The page of what was changed, where there is one. */
export function pageOf(action: string, subject: string, detail: Record<string, unknown>): string | null {
  if (action.startsWith("merchant.")) return `/merchants/${subject}`;
  if (action.startsWith("campaign.")) return `/campaigns/${subject}`;
  if (action.startsWith("payout-run.")) return `/payout-runs/${subject}`;
  if (action.startsWith("approval.")) return "/approvals?status=ALL";
  const { campaignId, participantId = action.startsWith("participant.") ? subject : undefined } = detail;
  if (typeof campaignId === "string" && typeof participantId === "string") {
    return `/campaigns/${campaignId}/participants/${participantId}`;
  }
  return null;
}
