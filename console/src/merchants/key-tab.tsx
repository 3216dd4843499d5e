import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { Schemas } from "../api/client.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { PublicKeyText } from "../ui/public-key-text.tsx";
import { BoundSignaturesSwitch } from "./bound-signatures-switch.tsx";
import { RotateKeyButton } from "./rotate-key-button.tsx";

export function KeyTab({ merchant }: { merchant: Schemas["Merchant"] }) {
  return (
    <Paper withBorder p="md">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            Public key
          </Title>
          <RotateKeyButton merchant={merchant} />
        </Group>
        <Text size="sm">
          Matchbook verifies this merchant's requests with this key. If signatures are rejected, compare the fingerprint
          with the one the merchant has.
        </Text>
        <Facts>
          <Fact label="Algorithm">
            <span className="mono">{merchant.algorithm}</span>
          </Fact>
          <Fact label="Fingerprint (SHA-256)" isWide>
            <Copyable value={merchant.keyFingerprint} label="key fingerprint" />
          </Fact>
        </Facts>
        <PublicKeyText publicKey={merchant.publicKey} />
        <BoundSignaturesSwitch merchant={merchant} />
      </Stack>
    </Paper>
  );
}
