import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useMerchantName } from "./merchant-name.tsx";

/** Shows which merchant a list is limited to. Pressing it removes the filter. */
export function MerchantFilter({ merchantId, onRemove }: { merchantId: string; onRemove: () => void }) {
  const name = useMerchantName(merchantId);
  return (
    <Button variant="light" rightSection={<IconX size={16} />} onClick={onRemove} title="Show every merchant">
      Only {name}
    </Button>
  );
}
