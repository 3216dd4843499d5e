import { visibleText } from "./visible-text.ts";

/** Text that someone else chose, inside other text. It cannot hide characters, nor turn what stands beside it around. */
export function Foreign({ text }: { text: string }) {
  return <bdi>{visibleText(text)}</bdi>;
}
