interface BoundedProps {
  readonly text: string;
  readonly lines?: number;
}

const SHORT_LENGTH_MAX = 24;

/**
 * A name or id that a merchant chose. It may be hundreds of characters without a space, so it is cut to a few lines. Hovering
 * shows all of it; so does the page that it leads to.
 */
export function Bounded({ text, lines = 2 }: BoundedProps) {
  return (
    <span
      className={lines === 1 ? "bounded-line" : "bounded"}
      style={lines === 1 ? undefined : { WebkitLineClamp: lines }}
      title={text.length > SHORT_LENGTH_MAX ? text : undefined}
    >
      {text}
    </span>
  );
}
