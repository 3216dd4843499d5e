import { TextInput, type TextInputProps } from "@mantine/core";
import { useState } from "react";
import { useTimeZone } from "./time-zone.ts";
import { fromTypedTime, inZone, toTypedTime } from "./typed-time.ts";

interface TimeInputProps extends Omit<TextInputProps, "label" | "value" | "onChange"> {
  readonly label: string;
  /** As a datetime-local input has it, always in UTC. It may be shown in another zone. */
  readonly value?: string;
  readonly onChange: (text: string) => void;
}

/** A time in a form, typed and shown in the zone that the header's switch says. */
export function TimeInput({ label, value = "", onChange, ...input }: TimeInputProps) {
  const zone = useTimeZone();
  const [typed, setTyped] = useState("");
  const instant = fromTypedTime(value, "UTC");
  // Typed text stays as it is while it means the value: another way to write the same time would move the cursor.
  const shown = fromTypedTime(typed, zone) === instant ? typed : toTypedTime(instant ?? "", zone);

  function type(text: string): void {
    setTyped(text);
    onChange(toTypedTime(fromTypedTime(text, zone) ?? "", "UTC"));
  }

  return (
    <TextInput
      {...input}
      type="datetime-local"
      step="any"
      label={inZone(label, zone)}
      value={shown}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
