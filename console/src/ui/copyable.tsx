import { ActionIcon, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopying } from "./copy-button.tsx";

/** An id, hash or address, whole or shortened in the middle, with a button that copies all of it. */
export function Copyable({ value, label, short = false }: { value: string; label: string; short?: boolean }) {
  const { copied, hasFailed, copy } = useCopying(value);
  // Whoever has to select it must see all of it.
  const isShort = short && !hasFailed;
  return (
    <Group gap={4} wrap="nowrap" component="span" style={{ display: "inline-flex", maxWidth: "100%" }}>
      <span className={isShort ? "mono whole" : "mono"} title={isShort ? value : undefined}>
        {isShort ? shortened(value) : value}
      </span>
      <Tooltip label={copied ? "Copied" : "Copy"}>
        <ActionIcon size="sm" variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${label}`}>
          {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
        </ActionIcon>
      </Tooltip>
    </Group>
  );
}

function shortened(value: string): string {
  return value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
}
