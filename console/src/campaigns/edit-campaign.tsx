import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { api } from "../api/client.ts";
import { dropDraft, keepDraft, readDraft } from "../ui/drafts.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { useFilters } from "../ui/use-filters.ts";
import { CampaignFields } from "./campaign-fields.tsx";
import {
  type Campaign,
  type CampaignValues,
  campaignChecks,
  changesOf,
  editsOf,
  isSound,
  valuesOf,
} from "./campaign-values.ts";

/** The address says that the dialog is open, so that a reload opens it again with what was typed. */
export function EditCampaign({ campaign }: { campaign: Campaign }) {
  const { filters, setFilter } = useFilters(["edit"]);
  return (
    <>
      <Button variant="default" onClick={() => setFilter("edit", "terms")}>
        Edit
      </Button>
      {filters.edit !== undefined && <EditDialog campaign={campaign} onClose={() => setFilter("edit", null)} />}
    </>
  );
}

function EditDialog({ campaign, onClose }: { campaign: Campaign; onClose: () => void }) {
  const draft = `campaign-${campaign.id}`;
  // The campaign as it was when the dialog opened: a refetch must not change what counts as an edit.
  const [original] = useState(campaign);
  const form = useForm<CampaignValues>({
    initialValues: readDraft(draft, valuesOf(original)),
    validate: campaignChecks,
    validateInputOnChange: true,
    onValuesChange: (values) => keepDraft(draft, editsOf(original, values)),
  });
  const edit = api.useMutation("patch", "/operator/v1/campaigns/{campaignId}");
  const changes = changesOf(original, form.values);
  const isChanged = Object.keys(changes).length > 0;
  const fields = Object.keys(form.values) as (keyof CampaignValues)[];

  return (
    <FormDialog
      title="Edit campaign"
      submitLabel="Save changes"
      success="Changes saved."
      size="xl"
      canSubmit={isChanged && isSound(form.values, fields)}
      onSubmit={() => edit.mutateAsync({ params: { path: { campaignId: original.id } }, body: changes })}
      onClose={() => {
        dropDraft(draft);
        onClose();
      }}
    >
      <CampaignFields form={form} isPublished={original.status !== "DRAFT"} />
    </FormDialog>
  );
}
