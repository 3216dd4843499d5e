// Second-level labels under which countries register names, as in shop.co.uk. The name is only a suggestion, so this list need
// not be complete.
const SHARED_LABELS = new Set(["ac", "co", "com", "edu", "gov", "net", "or", "org"]);

/** A display name to start from: "pay.blue-lantern.co.uk" is "Blue Lantern". */
export function nameFromDomain(domain: string): string {
  const labels = domain.split(".");
  const isShared = labels.length > 2 && SHARED_LABELS.has(labels.at(-2) ?? "");
  const label = labels.at(isShared ? -3 : -2) ?? domain;
  // Punycode is not readable, so the domain is the better name.
  if (label.startsWith("xn--")) return domain;
  return label
    .split("-")
    .filter((word) => word !== "")
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join(" ");
}
