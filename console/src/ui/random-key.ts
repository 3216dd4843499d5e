/** 128 random bits as text. Unlike crypto.randomUUID it also works on plain http, which an internal network may use. */
export function randomKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
