// What can wait for a second person, in words. An action that is missing here is shown by its name.
const REQUESTS: Record<string, string> = {
  "campaign.activate": "Activate a campaign",
  "campaign.edit": "Raise a budget or a cap",
  "deposit.overrule": "Overrule the state of a deposit",
  "merchant.rotate-key": "Replace a merchant's key",
  "participant.hold": "Hold a participant",
  "participant.receiver": "Change where a participant is paid",
  "participant.release": "Release a participant",
  "payout-run.approve": "Approve a payout run",
  "payout.create": "Pay to another address than the receiver",
  "payout.reverse": "Reverse a confirmed payout",
  "token.create": "Create a token",
};

export function requestOf(action: string): string {
  return REQUESTS[action] ?? action;
}

/** The server answers so when a change was not made and waits for a second person. */
export function isWaiting(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && "approval" in answer;
}
