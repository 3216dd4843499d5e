import { Text } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { Bounded } from "./bounded.tsx";
import { describeProof } from "./payout-proof.ts";

/** What was found on the chain about a payout, if anything was looked up. */
export function ProofText({ payout }: { payout: Pick<Schemas["Payout"], "amount" | "proof"> }) {
  const text = describeProof(payout);
  if (text === null) return null;
  return (
    <Text size="sm" c={payout.proof?.status === "MISMATCH" ? "red" : undefined} component="div" maw="100%">
      <Bounded text={text} />
    </Text>
  );
}
