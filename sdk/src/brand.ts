// The package is published as ESM and as CommonJS, and one program may load both. Its error classes then exist twice. A brand
// that both copies know makes `instanceof` true for the errors of either.

/** Makes `instanceof` of this class, not of its subclasses, ask for the brand. */
export function brand(errorClass: { readonly prototype: Error; readonly name: string }, name: string): void {
  const key = Symbol.for(`@matchbook/sdk ${name}`);
  Object.defineProperty(errorClass.prototype, key, { value: true });
  Object.defineProperty(errorClass, Symbol.hasInstance, {
    value(this: () => unknown, value: unknown): boolean {
      if (this !== errorClass) return Function.prototype[Symbol.hasInstance].call(this, value);
      return typeof value === "object" && value !== null && key in value;
    },
  });
}
