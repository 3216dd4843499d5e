import { Button, type ButtonProps } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useEffect } from "react";
import { notifyProblem } from "./notify.ts";

const CONFIRMED_FOR_MS = 1_000;

interface CopyButtonProps extends ButtonProps {
  readonly value: string;
  readonly label: string;
}

export function CopyButton({ value, label, ...button }: CopyButtonProps) {
  const { copied, copy } = useCopying(value);
  return (
    <Button {...button} onClick={copy} leftSection={copied ? <IconCheck size={16} /> : <IconCopy size={16} />}>
      {copied ? "Copied" : label}
    </Button>
  );
}

/** Copies, or shows that it failed: on plain http, except on localhost, browsers give a page no clipboard. */
export function useCopying(value: string) {
  const { copied, copy, error } = useClipboard({ timeout: CONFIRMED_FOR_MS });
  useEffect(() => {
    if (error !== null)
      notifyProblem("Could not copy", "The browser blocks copying on this page. Select the text and copy it yourself.");
  }, [error]);
  return { copied, hasFailed: error !== null, copy: () => copy(value) };
}
