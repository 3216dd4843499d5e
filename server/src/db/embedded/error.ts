/** Something that the person who starts the program can fix. The message is one line. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";

  constructor(message: string, options?: ErrorOptions) {
    super(message.trim().replaceAll(/\s*\n\s*/g, " "), options);
  }
}

/** Whether an error is the operating system's, with this code. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
