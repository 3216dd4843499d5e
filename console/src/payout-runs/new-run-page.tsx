import { Alert, Button, Group, SegmentedControl, Select, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { api, type Schemas } from "../api/client.ts";
import { RUN_NOTE_LENGTH_MAX } from "../limits.ts";
import { useMayChange } from "../session/session.ts";
import { formatTokens, problemWithAmount, toBaseUnits } from "../ui/amounts.ts";
import { CampaignSelect } from "../ui/campaign-select.tsx";
import { chainName } from "../ui/chains.ts";
import { Failure } from "../ui/failure.tsx";
import { MerchantSelect } from "../ui/merchant-select.tsx";
import { Page } from "../ui/page.tsx";
import { forgetRequest, keyOfRequest } from "../ui/request-key.ts";
import { Section } from "../ui/section.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { problemWithParticipants, readParticipants } from "./chosen-participants.ts";

type Owed = Schemas["Owed"];

const REQUEST = "new-payout-run";
const SCOPES = [
  { value: "campaign", label: "One campaign" },
  { value: "merchant", label: "A merchant's campaigns" },
];
const FILTERS = ["campaignId", "merchantId", "chainId", "tokenAddress"] as const;

export function NewRunPage() {
  const mayChange = useMayChange();
  return (
    <Page
      title="New payout run"
      above={{ to: "/payout-runs", label: "Payout runs" }}
      description="Reserves what is owed and can be paid, for up to 10,000 participants. Nothing is sent, and you can cancel it."
    >
      {mayChange ? <NewRunForm /> : <Alert color="blue">Viewers cannot create payout runs. Ask an operator.</Alert>}
    </Page>
  );
}

/** What is paid is kept in the address, so that other pages can lead here with a choice. */
function NewRunForm() {
  const navigate = useNavigate();
  const { filters, setFilter } = useFilters(FILTERS);
  const [scope, setScope] = useState(filters.merchantId === undefined ? "campaign" : "merchant");
  const [minimum, setMinimum] = useState("");
  const [chosen, setChosen] = useState("");
  const [note, setNote] = useState("");
  const create = api.useMutation("post", "/operator/v1/payout-runs");
  // A second click may come before the next render sees the state.
  const isSending = useRef(false);
  const isOfCampaign = scope === "campaign";
  const owner = isOfCampaign ? filters.campaignId : filters.merchantId;
  const owed = useOwed(isOfCampaign, owner);
  const token = isOfCampaign ? owed.items[0] : (owed.items.find((item) => isToken(item, filters)) ?? only(owed.items));
  const decimalPlaces = token?.owed.decimalPlaces ?? 0;
  const problems = {
    minimum: minimum.trim() === "" ? null : problemWithAmount(minimum, decimalPlaces),
    participants: problemWithParticipants(chosen),
  };
  const canSubmit = token !== undefined && problems.minimum === null && problems.participants === null;

  async function submit(): Promise<void> {
    if (token === undefined || owner === undefined || isSending.current) return;
    isSending.current = true;
    const { chainId, tokenAddress, owed: amount } = token;
    const units = toBaseUnits(minimum, decimalPlaces);
    const participantIds = readParticipants(chosen);
    const body = {
      ...(isOfCampaign ? { campaignId: owner } : { merchantId: owner, chainId, tokenAddress }),
      ...(units !== null && { minimumAmount: { ...amount, amount: units } }),
      ...(participantIds.length > 0 && { participantIds }),
      ...(note.trim() !== "" && { note: note.trim() }),
    };
    try {
      // A second try after a lost answer finds the run that was made.
      const header = { "idempotency-key": keyOfRequest(REQUEST, body) };
      const run = await create.mutateAsync({ params: { header }, body });
      forgetRequest(REQUEST);
      await navigate(`/payout-runs/${run.id}`, { replace: true });
    } catch {
      // The mutation keeps the error, and the page shows it.
    } finally {
      isSending.current = false;
    }
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <Section title="Whom to pay">
        <Stack>
          <SegmentedControl aria-label="What to pay" data={SCOPES} value={scope} onChange={setScope} maw={440} />
          {isOfCampaign ? (
            <CampaignSelect
              required
              value={filters.campaignId ?? ""}
              onChange={(campaignId) => setFilter("campaignId", campaignId)}
            />
          ) : (
            <>
              <MerchantSelect
                required
                value={filters.merchantId ?? ""}
                onChange={(merchantId) => setFilter("merchantId", merchantId)}
              />
              {owed.items.length > 1 && (
                <Select
                  label="Token"
                  description="A run pays one token."
                  placeholder="Choose a token"
                  required
                  data={owed.items.map((item) => ({ value: keyOf(item), label: describe(item) }))}
                  value={token === undefined ? null : keyOf(token)}
                  onChange={(key) => {
                    const item = owed.items.find((one) => keyOf(one) === key);
                    setFilter("chainId", item === undefined ? null : String(item.chainId));
                    setFilter("tokenAddress", item?.tokenAddress ?? null);
                  }}
                />
              )}
            </>
          )}
          {owed.error !== null && <Failure error={owed.error} action="read what is owed" />}
          {owed.isRead && (
            <Text size="sm" role="status">
              {token !== undefined
                ? `Owed: ${describe(token)}.`
                : owed.items.length === 0
                  ? "Nothing is owed."
                  : "Choose a token."}
            </Text>
          )}
          <Textarea
            label="Participants"
            description="Optional. Their ids, one a line, to pay these alone."
            autosize
            minRows={2}
            maxRows={10}
            spellCheck={false}
            value={chosen}
            onChange={(event) => setChosen(event.currentTarget.value)}
            error={problems.participants}
          />
          <TextInput
            label={token === undefined ? "Minimum" : `Minimum in ${token.owed.currency}`}
            description="Optional. Participants who are owed less are left out."
            inputMode="decimal"
            value={minimum}
            onChange={(event) => setMinimum(event.currentTarget.value)}
            error={problems.minimum}
          />
          <Textarea
            label="Note"
            description="Optional. Only operators see it."
            autosize
            minRows={1}
            maxRows={6}
            maxLength={RUN_NOTE_LENGTH_MAX}
            value={note}
            onChange={(event) => setNote(event.currentTarget.value)}
          />
          {create.error !== null && <Failure error={create.error} action="create the payout run" />}
          <Group>
            <Button type="submit" loading={create.isPending} disabled={!canSubmit}>
              Create run
            </Button>
          </Group>
        </Stack>
      </Section>
    </form>
  );
}

/** What the chosen campaign owes, or each token that the chosen merchant owes. */
function useOwed(isOfCampaign: boolean, owner: string | undefined) {
  const query: object = isOfCampaign ? { campaignId: owner } : { groupBy: "merchant", merchantId: owner, limit: 100 };
  const { data, error } = api.useQuery(
    "get",
    "/operator/v1/owed",
    { params: { query } },
    { enabled: owner !== undefined },
  );
  return {
    items: owner === undefined ? [] : (data?.items ?? []),
    error,
    isRead: owner !== undefined && data !== undefined,
  };
}

const only = (items: readonly Owed[]) => (items.length === 1 ? items[0] : undefined);
const keyOf = ({ chainId, tokenAddress, owed }: Owed) =>
  [chainId, tokenAddress, owed.currency, owed.decimalPlaces].join();
const isToken = ({ chainId, tokenAddress }: Owed, filters: Partial<Record<(typeof FILTERS)[number], string>>) =>
  String(chainId) === filters.chainId && tokenAddress === filters.tokenAddress;
const describe = ({ owed, chainId, tokenAddress }: Owed) =>
  `${formatTokens(owed)} on ${chainName(chainId)} (${tokenAddress.slice(0, 8)}…)`;
