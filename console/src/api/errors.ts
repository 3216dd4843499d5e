/** The API's one error shape. */
interface ApiError {
  readonly error: { readonly code: string; readonly message: string };
}

/** An answer that is not the API's own: something between here and the server gave it. */
export class ForeignAnswer extends Error {
  readonly code: string;

  constructor(status: number) {
    super(
      `Something between this page and the server answered in its place, with status ${status}. Try again in a moment.`,
    );
    this.code = `HTTP_${status}`;
  }
}

export function isApiError(error: unknown): error is ApiError {
  if (typeof error !== "object" || error === null || !("error" in error)) return false;
  const { code, message } = Object(error.error);
  return typeof code === "string" && typeof message === "string";
}

export function isSignedOut(error: unknown): boolean {
  return isApiError(error) && ["OPERATOR_SESSION_INVALID", "OPERATOR_TOKEN_INVALID"].includes(error.error.code);
}

/** The API's own words; without any, the call never arrived. */
export function messageOf(error: unknown): string {
  if (isApiError(error)) return error.error.message;
  if (error instanceof ForeignAnswer) return error.message;
  return "The server cannot be reached. Check the connection and try again.";
}

export function codeOf(error: unknown): string {
  if (isApiError(error)) return error.error.code;
  return error instanceof ForeignAnswer ? error.code : "UNREACHABLE";
}
