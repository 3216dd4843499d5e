// How variables are read. Values are never shown: a mistyped secret must not get into a terminal's history or a log.

/** A value that the person who starts the program can correct. The message is one line that names the variable. */
export class ConfigError extends Error {}

export type Variables = Readonly<Record<string, string | undefined>>;

export type Reader = ReturnType<typeof reader>;

export function reader(variables: Variables) {
  const text = (name: string, problem: (value: string) => string | null = () => null): string | null => {
    const value = variables[name]?.trim();
    if (value === undefined || value === "") return null;
    const found = problem(value);
    return found === null ? value : refuse(name, found);
  };
  return {
    text,
    integer(name: string, min: number, max: number): number | null {
      const value = text(name, (digits) =>
        /^(0|[1-9][0-9]{0,9})$/.test(digits) && Number(digits) >= min && Number(digits) <= max
          ? null
          : `must be a whole number from ${min} to ${max}`,
      );
      return value === null ? null : Number(value);
    },
    choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
      const value = text(name) ?? fallback;
      return choices.find((choice) => choice === value) ?? refuse(name, `must be one of ${choices.join(", ")}`);
    },
    list<T>(name: string, fallback: string, parse: (value: string) => T | null): T[] {
      const values = (text(name) ?? fallback).split(",").map((value) => value.trim());
      if (values.length === 1 && values[0] === "") return [];
      return values.map((value, index) => parse(value) ?? refuse(name, `has an invalid item at position ${index + 1}`));
    },
    url(name: string, protocols: readonly string[]): string | null {
      return text(name, (value) => {
        const wanted = `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`;
        return URL.canParse(value) && protocols.includes(new URL(value).protocol) ? null : wanted;
      });
    },
  };
}

export function refuse(variable: string, problem: string): never {
  throw new ConfigError(`${variable} ${problem}.`);
}
