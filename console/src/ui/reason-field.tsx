import { Textarea } from "@mantine/core";
import { REASON_LENGTH_MAX } from "../limits.ts";

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
}

/** Why an operator does something. Only operators see it. */
export function ReasonField({ value, onChange }: ReasonFieldProps) {
  return (
    <Textarea
      label="Reason"
      description="Optional. Kept in the audit log, where only operators see it."
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
      autosize
      minRows={1}
      maxRows={6}
      maxLength={REASON_LENGTH_MAX}
    />
  );
}

/** As the API takes it: one line, or nothing. */
export function reasonOf(typed: string): string | undefined {
  return typed.replaceAll(/[\s\p{Cc}]+/gu, " ").trim() || undefined;
}
