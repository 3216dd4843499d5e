import { Switch } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { notifyFailure, notifySuccess } from "../ui/notify.ts";

/** Whether the merchant's requests must carry a signature that is valid for one request only. */
export function BoundSignaturesSwitch({ merchant }: { merchant: Schemas["Merchant"] }) {
  const mayChange = useMayChange();
  const edit = api.useMutation("patch", "/operator/v1/merchants/{merchantId}");

  async function change(requireBoundSignatures: boolean): Promise<void> {
    try {
      const params = { path: { merchantId: merchant.merchantId } };
      await edit.mutateAsync({ params, body: { requireBoundSignatures } });
      notifySuccess(
        requireBoundSignatures ? "Bound signatures are required now." : "Unbound signatures are accepted again.",
      );
    } catch (error) {
      notifyFailure(error, "change the setting for bound signatures");
    }
  }

  return (
    <Switch
      label="Require bound signatures"
      description={
        "A bound signature is valid for one request: its method, address and body. If it is stolen, it works for nothing " +
        "else. When this is on, every request without one is rejected with MERCHANT_SIGNATURE_INVALID. Switch it on when " +
        "the merchant binds its requests. The SDK does so by default."
      }
      checked={merchant.requireBoundSignatures}
      disabled={!mayChange || edit.isPending}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
