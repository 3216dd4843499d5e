import { ActionIcon } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopying } from "./copy-button.tsx";
import { visibleText } from "./visible-text.ts";

/** An id, hash or address, complete or shortened in the middle, with a button that copies all of it. */
export function Copyable({ value, label, short = false }: { value: string; label: string; short?: boolean }) {
  const { copied, hasFailed, copy } = useCopying(value);
  // When copying fails, the text has to be selected by hand, so all of it must be there.
  const isShort = short && !hasFailed;
  return (
    <span className="copyable">
      <bdi className={isShort ? "mono whole" : "mono"} title={isShort ? visibleText(value) : undefined}>
        {visibleText(isShort ? shortened(value) : value)}
      </bdi>
      <ActionIcon
        size="sm"
        variant="subtle"
        color="gray"
        onClick={copy}
        title={copied ? "Copied" : "Copy"}
        aria-label={`Copy ${visibleText(label)}`}
      >
        {copied ? <IconCheck size={14} /> : <IconCopy size={14} />}
      </ActionIcon>
    </span>
  );
}

function shortened(value: string): string {
  return value.length <= 14 ? value : `${value.slice(0, 8)}…${value.slice(-4)}`;
}
