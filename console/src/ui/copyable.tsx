import { ActionIcon, CopyButton, Group, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

/** An id, hash or address, whole or shortened in the middle, with a button that copies all of it. */
export function Copyable({ value, label, short = false }: { value: string; label: string; short?: boolean }) {
  return (
    <Group gap={4} wrap="nowrap" component="span" style={{ display: "inline-flex", maxWidth: "100%" }}>
      <span className={short ? "mono whole" : "mono"} title={short ? value : undefined}>
        {short ? shortened(value) : value}
      </span>
      <CopyButton value={value}>
        {({ copied, copy }) => (
          <Tooltip label={copied ? "Copied" : "Copy"}>
            <ActionIcon size="sm" variant="subtle" color="gray" onClick={copy} aria-label={`Copy ${label}`}>
              {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
            </ActionIcon>
          </Tooltip>
        )}
      </CopyButton>
    </Group>
  );
}

function shortened(value: string): string {
  return value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
}
