import { Switch } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { notifyFailure, notifySuccess } from "../ui/notify.ts";

/** Whether the merchant's requests must carry a signature that is good for that one request. */
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
      notifyFailure(error);
    }
  }

  return (
    <Switch
      label="Require bound signatures"
      description={
        "A bound signature is good for one request: its method, address and body. A stolen one can do nothing else. When " +
        "this is on, every request without one is refused at once with MERCHANT_SIGNATURE_INVALID, so switch it on when " +
        "the merchant binds its requests. The SDK does so by default."
      }
      checked={merchant.requireBoundSignatures}
      disabled={!mayChange || edit.isPending}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}
