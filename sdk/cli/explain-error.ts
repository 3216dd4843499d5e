import { KeyError } from "@matchbook/sdk";
import { Failure, UsageError } from "./command.ts";

/** One line: what happened and what to do next. What is nobody's mistake but ours comes with its trace. */
export function explainError(error: unknown): string {
  if (error instanceof UsageError || error instanceof Failure) return error.message;
  if (error instanceof KeyError) return `${error.message} matchbook doctor examines your setup.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
