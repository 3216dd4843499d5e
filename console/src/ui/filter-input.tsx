import { TextInput, type TextInputProps } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useState } from "react";

const TYPING_PAUSE_MS = 300;

interface FilterInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  readonly value: string;
  readonly onFilter: (text: string) => void;
}

/** A filter that is typed; it takes effect when the typing pauses. */
export function FilterInput({ value, onFilter, ...input }: FilterInputProps) {
  const { text, type } = useTypedFilter(value, onFilter);
  return <TextInput {...input} value={text} onChange={(event) => type(event.currentTarget.value)} />;
}

export function useTypedFilter(value: string, onFilter: (text: string) => void) {
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [sent, setSent] = useState(value);
  // The address is the truth: when it changes otherwise than by this box, the box follows.
  if (value !== shown) {
    setShown(value);
    if (value !== sent) setText(value);
  }
  const send = useDebouncedCallback((typed: string) => {
    setSent(typed);
    onFilter(typed);
  }, TYPING_PAUSE_MS);

  function type(typed: string): void {
    setText(typed);
    send(typed.trim());
  }

  return { text, type };
}
