import { useState } from "react";
import { dropDraft, keepDraft, readDraft } from "./drafts.ts";

/** A text that is being typed. A reload keeps it until it is dropped. */
export function useDraftText(name: string) {
  const [text, setText] = useState(() => readDraft(name, { text: "" }).text);

  function type(typed: string): void {
    setText(typed);
    keepDraft(name, { text: typed });
  }

  return { text, type, drop: () => dropDraft(name) };
}
