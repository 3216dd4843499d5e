/** What a client may do. Without a window it is a number of requests in progress. */
export interface QuotaPolicy {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds?: number;
}

/**
 * The header fields that every 429 carries: `Retry-After`, and `RateLimit` and `RateLimit-Policy` as in
 * draft-ietf-httpapi-ratelimit-headers-11, which are lists of structured fields (RFC 9651).
 */
export function rateLimitFields(
  { name, quota, windowSeconds }: QuotaPolicy,
  retryAfterSeconds: number,
): Record<string, string> {
  const measure = windowSeconds === undefined ? 'qu="concurrent-requests"' : `w=${windowSeconds}`;
  return {
    "retry-after": String(retryAfterSeconds),
    ratelimit: `"${name}";r=0;t=${retryAfterSeconds}`,
    "ratelimit-policy": `"${name}";q=${quota};${measure}`,
  };
}
