import { Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Foreign } from "../ui/foreign.tsx";

/** Suspends an active merchant or reinstates a suspended one. Other merchants have no such button. */
export function SuspensionButton({ merchant }: { merchant: Schemas["Merchant"] }) {
  const mayChange = useMayChange();
  const suspension = api.useMutation("post", "/operator/v1/merchants/{merchantId}/suspend");
  const reinstatement = api.useMutation("post", "/operator/v1/merchants/{merchantId}/reinstate");
  const params = { path: { merchantId: merchant.merchantId } };
  if (!mayChange) return null;
  const name = <Foreign text={merchant.displayName} />;

  if (merchant.status === "ACTIVE") {
    return (
      <ConfirmButton
        key="suspend"
        label="Suspend"
        title={<>Suspend {name}</>}
        color="red"
        variant="light"
        confirmLabel="Suspend merchant"
        success={`${merchant.displayName} was suspended.`}
        asksReason
        action={(reason) => suspension.mutateAsync({ params, body: { reason } })}
        consequence={
          <>
            <Text inherit>
              Every signed request of {name} is rejected with <code>MERCHANT_NOT_ACTIVE</code>, and its pages can no
              longer embed the deposit flow.
            </Text>
            <Text inherit mt="xs">
              Its campaigns, participants and deposits stay as they are, and open deposits are still recorded. You can
              reinstate it at any time. The call takes about a second.
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
        title={<>Reinstate {name}</>}
        confirmLabel="Reinstate merchant"
        success={`${merchant.displayName} is active again.`}
        asksReason
        action={(reason) => reinstatement.mutateAsync({ params, body: { reason } })}
        consequence={<>{name} can immediately sign requests with its current key and embed the deposit flow again.</>}
      />
    );
  }
  return null;
}
