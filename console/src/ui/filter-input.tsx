import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

/** How long to wait for more typing. */
export const TYPING_PAUSE_MS = 300;

interface FilterInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: string;
  readonly onFilter: (text: string) => void;
}

/** A typed filter. It takes effect when the typing pauses. */
export function FilterInput({ value, onFilter, ...input }: FilterInputProps) {
  const { text, type } = useTypedFilter(value, onFilter);
  return <TextInput {...input} value={text} onChange={(event) => type(event.currentTarget.value)} />;
}

export function useTypedFilter(value: string, onFilter: (text: string) => void) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const send = useDebouncedCallback(onFilter, TYPING_PAUSE_MS);
  // The box follows the address, unless more has been typed since.
  if (value !== shown) {
    setShown(value);
    if (value !== text.trim() && !send.isPending()) setText(value);
  }

  function type(typed: string): void {
    setText(typed);
    send(typed.trim());
  }

  return { text, type };
}
