import { readFileSync } from "node:fs";
import { Failure } from "./command.ts";

const STANDARD_INPUT = 0;

/** The bytes of a file that an option names; - is standard input. */
export function readInput(path: string): Buffer {
  try {
    return readFileSync(path === "-" ? STANDARD_INPUT : path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") throw new Failure(`There is no file ${path}.`);
    throw new Failure(`The file ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
