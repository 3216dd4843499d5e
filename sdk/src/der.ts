// Just enough strict DER for keys and signatures.

export const SEQUENCE = 0x30;
export const INTEGER = 0x02;
export const BIT_STRING = 0x03;
export const OCTET_STRING = 0x04;
export const OBJECT_IDENTIFIER = 0x06;

type Bytes = Uint8Array<ArrayBuffer>;

export interface Element {
  tag: number;
  content: Bytes;
}

/** All elements in the bytes, one after the other, or null unless each is DER and nothing is left over. */
export function readElements(bytes: Bytes): Element[] | null {
  const elements: Element[] = [];
  let at = 0;
  while (at < bytes.length) {
    const tag = bytes[at] ?? 0;
    let length = bytes[at + 1];
    let start = at + 2;
    if (length === undefined) return null;
    if (length >= 0x80) {
      // The long form, in as few bytes as possible; keys need two at most.
      const count = length - 0x80;
      if (count < 1 || count > 2) return null;
      length = 0;
      for (let index = 0; index < count; index++) length = length * 256 + (bytes[start + index] ?? 0);
      if (length < (count === 1 ? 0x80 : 0x100)) return null;
      start += count;
    }
    if (start + length > bytes.length) return null;
    elements.push({ tag, content: bytes.subarray(start, start + length) });
    at = start + length;
  }
  return elements;
}

/** The elements of a sequence that is the only element in the bytes. */
export function readSequence(bytes: Bytes): Element[] | null {
  const [sequence, ...rest] = readElements(bytes) ?? [];
  return sequence?.tag === SEQUENCE && rest.length === 0 ? readElements(sequence.content) : null;
}

export function writeElement(tag: number, ...parts: Uint8Array[]): Bytes {
  const content = concatenate(...parts);
  const head =
    content.length < 0x80
      ? [tag, content.length]
      : content.length < 0x100
        ? [tag, 0x81, content.length]
        : [tag, 0x82, content.length >> 8, content.length & 0xff];
  return concatenate(Uint8Array.from(head), content);
}

export function concatenate(...parts: Uint8Array[]): Bytes {
  const result = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    result.set(part, at);
    at += part.length;
  }
  return result;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function fromHex(text: string): Bytes {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}
