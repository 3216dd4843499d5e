import { Text } from "@mantine/core";
import { api, type Schemas } from "../api/client.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";

export function RemoveDomainButton({ domain: { merchantId, domain, origins } }: { domain: Schemas["MerchantDomain"] }) {
  const removal = api.useMutation("delete", "/operator/v1/merchants/{merchantId}/domains/{domain}");
  return (
    <ConfirmButton
      label="Remove"
      title={`Remove ${domain}`}
      aria-label={`Remove ${domain}`}
      size="compact-sm"
      color="red"
      variant="light"
      confirmLabel={`Remove ${domain}`}
      success={`${domain} was removed.`}
      asksReason
      action={(reason) => removal.mutateAsync({ params: { path: { merchantId, domain }, query: { reason } } })}
      consequence={
        <>
          <Text inherit>
            Pages on {origins.join(" and ")} can no longer embed the deposit flow, and the merchant gets its slot back.
            Both happen immediately. The domain registry is notified, with retries.
          </Text>
          <Text inherit mt="xs">
            The merchant can add the domain again.
          </Text>
        </>
      }
    />
  );
}
