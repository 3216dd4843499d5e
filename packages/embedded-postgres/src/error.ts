/**
 * What is wrong, for the program to say what to do about it:
 * `in-use`: another process runs a server in this data folder. `data-folder`: the folder cannot be used.
 * `owner`: it belongs to another user. `programs`: PostgreSQL's programs are missing or do not fit this machine or these
 * data. `start`: anything else that kept PostgreSQL from starting.
 */
export type Problem = "in-use" | "data-folder" | "owner" | "programs" | "start";

/** Something that the person who starts the program can fix. The message is one line. */
export class EmbeddedPostgresError extends Error {
  override name = "EmbeddedPostgresError";
  readonly problem: Problem;

  constructor(problem: Problem, message: string, options?: ErrorOptions) {
    super(message.trim().replaceAll(/\s*\n\s*/g, " "), options);
    this.problem = problem;
  }
}

/** Whether an error is the operating system's, with this code. */
export function hasCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && "code" in error && codes.includes(String(error.code));
}
