/**
 * The address without a slash at its end. The header that signs a request is a secret for as long as it lives, so it is
 * sent over TLS, or to this very machine.
 */
export function readBaseUrl(text: string): string {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new TypeError(`baseUrl is not an address: give one such as https://api.example.com.`);
  }
  if (url.protocol !== "https:" && url.protocol !== "http:") throw new TypeError("baseUrl must begin with https://.");
  if (url.username !== "" || url.password !== "") throw new TypeError("baseUrl must not hold a user name or password.");
  if (url.search !== "" || url.hash !== "") throw new TypeError("baseUrl must not hold a query or a fragment.");
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new TypeError(
      "baseUrl is plain http: anyone who listens could make calls in your name for 15 minutes. Use https, or a loopback address.",
    );
  }
  return url.href.replace(/\/+$/, "");
}

/** The URL parser has already written every spelling of an IPv4 address as four numbers. */
function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}
