import { Textarea } from "@mantine/core";
import { REASON_LENGTH_MAX } from "../limits.ts";

interface ReasonFieldProps {
  readonly value: string;
  readonly onChange: (reason: string) => void;
  readonly required?: boolean;
  readonly description?: string;
}

const OPTIONAL = "Optional. Kept in the audit log, where only operators see it.";

/** Why an operator does something. Only operators see it, unless the description says otherwise. */
export function ReasonField({ value, onChange, required = false, description = OPTIONAL }: ReasonFieldProps) {
  return (
    <Textarea
      label="Reason"
      description={description}
      required={required}
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
