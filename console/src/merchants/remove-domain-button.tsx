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
      success={`${domain} is removed.`}
      action={() => removal.mutateAsync({ params: { path: { merchantId, domain } } })}
      consequence={
        <>
          <Text inherit>
            What happens: pages on {origins.join(" and ")} can no longer embed the deposit flow, at once, and the
            merchant&rsquo;s slot is free again. The domain registry is told until it knows.
          </Text>
          <Text inherit mt="xs">
            The merchant can add the domain again by itself.
          </Text>
        </>
      }
    />
  );
}
