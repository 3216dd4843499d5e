import { ActionIcon, Group } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { chainName } from "./chains.ts";
import { Copyable } from "./copyable.tsx";
import { explorerLink } from "./explorers.ts";

interface TransactionProps {
  readonly chainId: number;
  readonly hash: string | null;
  readonly short?: boolean;
}

/** A transaction's hash, with a link to the chain's explorer if it is known. */
export function Transaction({ chainId, hash, short = false }: TransactionProps) {
  if (hash === null) return "None yet";
  const link = explorerLink(chainId, hash);
  return (
    <Group gap={2} wrap="nowrap">
      <Copyable value={hash} label="transaction hash" short={short} />
      {link !== null && (
        <ActionIcon
          component="a"
          href={link}
          target="_blank"
          rel="noopener noreferrer"
          size="sm"
          variant="subtle"
          color="gray"
          title="Open in the explorer"
          aria-label={`Open the transaction in the explorer of ${chainName(chainId)}`}
        >
          <IconExternalLink size={14} />
        </ActionIcon>
      )}
    </Group>
  );
}
