import { Anchor, Button, Collapse, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { useMayChange } from "../session/session.ts";
import { Copyable } from "../ui/copyable.tsx";
import { Fact, Facts } from "../ui/facts.tsx";
import { Instant } from "../ui/instant.tsx";
import { PublicKeyText } from "../ui/public-key-text.tsx";
import { StatusBadge } from "../ui/status-badge.tsx";
import { ApproveButton } from "./approve-button.tsx";
import { Decision } from "./decision.tsx";
import { RejectButton } from "./reject-button.tsx";
import { SharedWarnings } from "./shared-warnings.tsx";

interface ApplicationCardProps {
  readonly application: Schemas["Application"];
  readonly onDecided: (application: Schemas["Application"]) => void;
}

/** Everything an operator needs to decide on an application, and the decision. */
export function ApplicationCard({ application, onDecided }: ApplicationCardProps) {
  const mayChange = useMayChange();
  const isPending = application.status === "PENDING";
  return (
    <Paper
      component="article"
      withBorder
      p={{ base: "md", md: "lg" }}
      aria-label={`Application of ${application.domain}`}
    >
      <Stack>
        <Group justify="space-between" align="flex-start">
          <Stack gap={2} miw={0} maw="100%">
            <Title order={2} size="h4" style={{ overflowWrap: "anywhere" }}>
              {application.domain}
            </Title>
            <Text size="sm">
              Received <Instant value={application.createDate} />
            </Text>
          </Stack>
          <StatusBadge status={application.status} />
        </Group>
        <SharedWarnings application={application} />
        <Text style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{application.description}</Text>
        <Facts>
          <Fact label="Email">
            <Copyable value={application.email} label={`email of ${application.domain}`} />
          </Fact>
          <Fact label="Telegram">
            {application.telegram === null ? (
              "Not given"
            ) : (
              <Copyable value={`@${application.telegram}`} label={`Telegram handle of ${application.domain}`} />
            )}
          </Fact>
          <Fact label="Key">
            {application.proven
              ? "Proven: the applicant holds the private key"
              : "Not proven: it may belong to somebody else"}
          </Fact>
          <Fact label="Merchant">
            <Anchor component={Link} to={`/merchants/${application.merchantId}`} inherit className="mono">
              {application.merchantId}
            </Anchor>
          </Fact>
          <Fact label="Key fingerprint (SHA-256). Compare it with the applicant by phone" isWide>
            <Copyable value={application.keyFingerprint} label={`key fingerprint of ${application.domain}`} />
          </Fact>
        </Facts>
        <Key publicKey={application.publicKey} domain={application.domain} />
        <Decision application={application} />
        {isPending && mayChange && (
          <Group>
            <ApproveButton application={application} onDecided={onDecided} />
            <RejectButton application={application} onDecided={onDecided} />
          </Group>
        )}
      </Stack>
    </Paper>
  );
}

function Key({ publicKey, domain }: { publicKey: string; domain: string }) {
  const [isOpen, { toggle }] = useDisclosure();
  return (
    <div>
      <Button
        size="compact-sm"
        variant="default"
        onClick={toggle}
        aria-expanded={isOpen}
        aria-label={`${isOpen ? "Hide" : "Show"} the public key of ${domain}`}
      >
        {isOpen ? "Hide the public key" : "Show the public key"}
      </Button>
      <Collapse expanded={isOpen} keepMounted={false}>
        <div style={{ paddingTop: "var(--mantine-spacing-sm)" }}>
          <PublicKeyText publicKey={publicKey} />
        </div>
      </Collapse>
    </div>
  );
}
