import { type TString, Type } from "typebox";
import { type ErrorCode, fail } from "./errors.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The ids in a path, as any text: one that is not a UUID names nothing, so the answer is that of an unknown id. */
export function pathIds<Name extends string>(...names: Name[]) {
  const ids = names.map((name) => [name, Type.String({ description: `A UUID.` })]);
  return Type.Object(Object.fromEntries(ids) as Record<Name, TString>);
}

export function isUuid(text: string): boolean {
  return UUID.test(text);
}

export function uuidOr(code: ErrorCode, text: string): string {
  return isUuid(text) ? text.toLowerCase() : fail(code);
}
