/** The API's one error shape. */
export interface ApiError {
  readonly error: { readonly code: string; readonly message: string };
}

export function isApiError(error: unknown): error is ApiError {
  return typeof error === "object" && error !== null && "error" in error;
}

export function isSignedOut(error: unknown): boolean {
  return isApiError(error) && ["OPERATOR_SESSION_INVALID", "OPERATOR_TOKEN_INVALID"].includes(error.error.code);
}

/** The API's own words; without any, the call never arrived. */
export function messageOf(error: unknown): string {
  return isApiError(error) ? error.error.message : "The server cannot be reached. Check the connection and try again.";
}

export function codeOf(error: unknown): string {
  return isApiError(error) ? error.error.code : "UNREACHABLE";
}
