/** The API's one error shape. */
interface ApiError {
  readonly error: { readonly code: string; readonly message: string };
}

/** An answer that is not from the API, such as a proxy's error page. */
export class ForeignAnswer extends Error {
  readonly code: string;

  constructor(status: number) {
    super(`A proxy answered instead of the server, with status ${status}. Try again in a moment.`);
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

/** Another tab of this browser signed in as someone else. The API did nothing. */
export function isOperatorChanged(error: unknown): boolean {
  return isApiError(error) && error.error.code === "OPERATOR_CHANGED";
}

/** The API's message. Without one, the request did not reach it. */
export function messageOf(error: unknown): string {
  if (isApiError(error)) return error.error.message;
  if (error instanceof ForeignAnswer) return error.message;
  return "Cannot reach the server. Check the connection and try again.";
}

export function codeOf(error: unknown): string {
  if (isApiError(error)) return error.error.code;
  return error instanceof ForeignAnswer ? error.code : "UNREACHABLE";
}
