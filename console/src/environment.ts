/** Which environment served this page. The two look different, to prevent changes in the wrong one. */
export type Environment = "production" | "sandbox";

function meta(name: string): string {
  return document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? "";
}

export const environment: Environment = meta("matchbook-environment") === "sandbox" ? "sandbox" : "production";

/** Lets Mantine's own style elements pass the content security policy. */
export const styleNonce: string = meta("matchbook-nonce");
