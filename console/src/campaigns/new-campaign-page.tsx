import { Alert, Button, Grid, Group, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { api } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { dropDraft, keepDraft, readDraft } from "../ui/drafts.ts";
import { Failure } from "../ui/failure.tsx";
import { MerchantSelect } from "../ui/merchant-select.tsx";
import { notifySuccess } from "../ui/notify.ts";
import { Page } from "../ui/page.tsx";
import { forgetRequest, keyOfRequest } from "../ui/request-key.ts";
import { Section } from "../ui/section.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { CampaignFields } from "./campaign-fields.tsx";
import { type CampaignValues, campaignChecks, emptyValues, termsOf } from "./campaign-values.ts";
import { MatchPreview } from "./match-preview.tsx";

const ABOVE = { to: "/campaigns", label: "Campaigns" };
const DRAFT = "new-campaign";
const REQUEST = "new-campaign-request";
const NO_DRAFT = { ...emptyValues, merchantId: "" };

export function NewCampaignPage() {
  const mayChange = useMayChange();
  return (
    <Page
      title="New campaign"
      above={ABOVE}
      description="A new campaign is a draft. The merchant can read it, but it accepts no submissions until you activate it."
    >
      {mayChange ? <NewCampaignForm /> : <Alert color="blue">Viewers cannot create campaigns. Ask an operator.</Alert>}
    </Page>
  );
}

function NewCampaignForm() {
  const navigate = useNavigate();
  const { filters, setFilter } = useFilters(["merchantId"]);
  const [draft] = useState(() => {
    const { merchantId: drafted, ...values } = readDraft(DRAFT, NO_DRAFT);
    return { merchantId: filters.merchantId ?? drafted, values };
  });
  const [merchantId, setMerchantId] = useState(draft.merchantId);
  const [isMerchantMissing, setMerchantMissing] = useState(false);
  const form = useForm<CampaignValues>({
    initialValues: draft.values,
    validate: campaignChecks,
    validateInputOnBlur: true,
    onValuesChange: (values) => keepDraft(DRAFT, { ...values, merchantId }),
  });
  const create = api.useMutation("post", "/operator/v1/campaigns");
  // A second click may come before the next render sees the state.
  const isSending = useRef(false);

  function chooseMerchant(chosen: string): void {
    setMerchantId(chosen);
    setMerchantMissing(false);
    // Otherwise the next reload would undo the choice.
    setFilter("merchantId", null);
    keepDraft(DRAFT, { ...form.getValues(), merchantId: chosen });
  }

  async function submit(values: CampaignValues): Promise<void> {
    setMerchantMissing(merchantId === "");
    if (merchantId === "" || isSending.current) return;
    isSending.current = true;
    try {
      const body = { merchantId, type: "PER_TRADE_PROFIT_MATCH", ...termsOf(values) } as const;
      const header = { "idempotency-key": keyOfRequest(REQUEST, body) };
      const campaign = await create.mutateAsync({ params: { header }, body });
      forgetRequest(REQUEST);
      dropDraft(DRAFT);
      notifySuccess(`${campaign.displayName} was created as a draft.`);
      // Back then leads to where one came from, and not to an empty form.
      await navigate(`/campaigns/${campaign.id}`, { replace: true });
    } catch {
      // The mutation keeps the error, and the page shows it.
    } finally {
      isSending.current = false;
    }
  }

  function startOver(): void {
    dropDraft(DRAFT);
    form.setValues(emptyValues);
    form.clearErrors();
    create.reset();
    chooseMerchant("");
  }

  return (
    <form noValidate onSubmit={form.onSubmit(submit, () => setMerchantMissing(merchantId === ""))}>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 7 }}>
          <Section title="Terms">
            <MerchantSelect
              description="Type a name, domain, email or id. Only active merchants are listed."
              status="ACTIVE"
              required
              value={merchantId}
              onChange={chooseMerchant}
              error={isMerchantMissing ? "Choose a merchant" : undefined}
            />
            <CampaignFields form={form} />
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 5 }}>
          <MatchPreview values={form.values} />
        </Grid.Col>
        <Grid.Col span={12}>
          <Stack>
            {create.error !== null && <Failure error={create.error} action="create the campaign" />}
            <Group>
              <Button type="submit" loading={create.isPending}>
                Create draft
              </Button>
              <Button variant="default" onClick={startOver} disabled={create.isPending}>
                Start over
              </Button>
              <Text size="sm" c="dimmed">
                Your input is kept in this tab until the campaign is created.
              </Text>
            </Group>
          </Stack>
        </Grid.Col>
      </Grid>
    </form>
  );
}
