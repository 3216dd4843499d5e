import { Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

/** Suspends an active merchant, reinstates a suspended one. Whoever was never approved has no standing to change. */
export function StandingButton({ merchant }: { merchant: Schemas["Merchant"] }) {
  const mayChange = useMayChange();
  const suspension = api.useMutation("post", "/operator/v1/merchants/{merchantId}/suspend");
  const reinstatement = api.useMutation("post", "/operator/v1/merchants/{merchantId}/reinstate");
  const call = { params: { path: { merchantId: merchant.merchantId } }, body: {} };
  if (!mayChange) return null;

  if (merchant.status === "ACTIVE") {
    return (
      <ConfirmButton
        key="suspend"
        label="Suspend"
        title={`Suspend ${merchant.displayName}`}
        color="red"
        variant="light"
        confirmLabel="Suspend this merchant"
        success={`${merchant.displayName} is suspended.`}
        action={() => suspension.mutateAsync(call)}
        consequence={
          <>
            <Text inherit>
              What happens: from the moment this is done, every signed request of {merchant.displayName} is refused with{" "}
              <code>MERCHANT_NOT_ACTIVE</code>, and its pages can no longer embed the deposit flow.
            </Text>
            <Text inherit mt="xs">
              Its campaigns, participants and deposits stay as they are, and deposits already on their way are still
              recorded. You can reinstate it at any time. The call takes about a second.
            </Text>
          </>
        }
      />
    );
  }
  if (merchant.status === "SUSPENDED") {
    return (
      <ConfirmButton
        key="reinstate"
        label="Reinstate"
        title={`Reinstate ${merchant.displayName}`}
        confirmLabel="Reinstate this merchant"
        success={`${merchant.displayName} is active again.`}
        action={() => reinstatement.mutateAsync(call)}
        consequence={`What happens: ${merchant.displayName} can sign requests with its present key and embed the deposit flow again, at once.`}
      />
    );
  }
  return null;
}
