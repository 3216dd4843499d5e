import type { Database } from "./pool.ts";

/** The same database for callers that may use only so many of its connections at the same time. The others wait in line. */
export function limitConnections(db: Database, max: number): Database {
  const line: (() => void)[] = [];
  let used = 0;

  async function limited<Result>(work: () => Promise<Result>): Promise<Result> {
    if (used < max) used++;
    else await new Promise<void>((resolve) => line.push(resolve));
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next === undefined) used--;
      else next();
    }
  }

  return {
    query: (text, values) => limited(() => db.query(text, values)),
    transaction: (work, options) => limited(() => db.transaction(work, options)),
    get counts() {
      return db.counts;
    },
    end: () => db.end(),
  };
}
