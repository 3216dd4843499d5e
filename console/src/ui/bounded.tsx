import { visibleText } from "./visible-text.ts";

interface BoundedProps {
  readonly text: string;
  readonly lines?: number;
}

const SHORT_LENGTH_MAX = 24;

/**
 * A name or id that a merchant chose. It may be hundreds of characters without a space, so it is cut to a few lines. Hovering
 * shows all of it; so does the page that it leads to. Hidden characters are written out.
 */
export function Bounded({ text, lines = 2 }: BoundedProps) {
  const shown = visibleText(text);
  return (
    <bdi
      className={lines === 1 ? "bounded-line" : "bounded"}
      style={lines === 1 ? undefined : { WebkitLineClamp: lines }}
      title={shown.length > SHORT_LENGTH_MAX ? shown : undefined}
    >
      {shown}
    </bdi>
  );
}
