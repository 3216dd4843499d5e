// Second-level labels under which countries register names, as in shop.co.uk. A guess that is edited when it is wrong
// needs no list of all of them.
const SHARED_LABELS = new Set(["ac", "co", "com", "edu", "gov", "net", "or", "org"]);

/** A display name to start from: "pay.blue-lantern.co.uk" is "Blue Lantern". */
export function nameFromDomain(domain: string): string {
  const labels = domain.split(".");
  const isShared = labels.length > 2 && SHARED_LABELS.has(labels.at(-2) ?? "");
  const label = labels.at(isShared ? -3 : -2) ?? domain;
  // Punycode says nothing to people; the domain itself is the better name then.
  if (label.startsWith("xn--")) return domain;
  return label
    .split("-")
    .filter((word) => word !== "")
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join(" ");
}
