// The web's interfaces as types. They come from the DOM library or from Node's types, whichever the user's project has; these
// types work without either. A declaration that names `CryptoKey` directly would need the DOM library.

/** The type of what a global class makes; the fallback where the project's types do not know that class. */
type InstanceOf<Name extends string, Fallback> =
  typeof globalThis extends Record<Name, { prototype: infer Instance }> ? Instance : Fallback;

/** A key that WebCrypto holds. Node's types know no global class of it, so it is taken from what makes one. */
export type WebCryptoKey = typeof globalThis extends {
  crypto: { subtle: { importKey(...given: never): Promise<infer Key> } };
}
  ? Key
  : {
      readonly type: "private" | "public" | "secret";
      readonly algorithm: { readonly name: string };
      readonly extractable: boolean;
      readonly usages: readonly string[];
    };

export type WebAbortSignal = InstanceOf<
  "AbortSignal",
  {
    readonly aborted: boolean;
    readonly reason: unknown;
    throwIfAborted(): void;
    addEventListener(type: "abort", listener: () => void, options?: { once?: boolean }): void;
    removeEventListener(type: "abort", listener: () => void): void;
  }
>;

interface PlainHeaders {
  get(name: string): string | null;
}

export type WebRequest = InstanceOf<
  "Request",
  { readonly method: string; readonly headers: PlainHeaders; readonly body: AsyncIterable<Uint8Array> | null }
>;

export type WebResponse = InstanceOf<
  "Response",
  {
    readonly status: number;
    readonly ok: boolean;
    readonly type: string;
    readonly headers: PlainHeaders;
    text(): Promise<string>;
  }
>;

export type Fetch = typeof globalThis extends { fetch: infer Known }
  ? Known
  : (
      url: string,
      init: {
        method: string;
        headers: Record<string, string>;
        body?: string;
        redirect: "manual";
        signal: WebAbortSignal;
      },
    ) => Promise<WebResponse>;

/** Bytes in memory of their own. TypeScript before 5.7 has no parameter that says so; this type works there, too. */
export type Bytes = ReturnType<typeof Uint8Array.of>;
