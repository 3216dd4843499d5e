import { Anchor, Button, Collapse, Group, Stack, Table, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown, IconChevronUp } from "@tabler/icons-react";
import { useId } from "react";
import { Link } from "react-router";
import type { Schemas } from "../api/client.ts";
import { pageOf, sentenceOf } from "./audit-actions.ts";
import { changesOf, detailLines } from "./audit-detail.ts";
import { Bounded } from "./bounded.tsx";
import { Copyable } from "./copyable.tsx";
import { Foreign } from "./foreign.tsx";
import { visibleText } from "./visible-text.ts";

type AuditEntry = Schemas["AuditEntry"];

/** What was done and to what, with all recorded details on demand. */
export function AuditEntryDetail({ entry }: { entry: AuditEntry }) {
  const [isOpen, { toggle }] = useDisclosure();
  const id = useId();
  const lines = [{ label: "Action", text: entry.action }, ...detailLines(entry.detail)];
  return (
    <Stack gap={2} align="flex-start">
      <Text fw={500} size="sm">
        {sentenceOf(entry.action, entry.detail)}
      </Text>
      <Changes detail={entry.detail} />
      {typeof entry.detail.reason === "string" && (
        <Text size="sm" c="dimmed" component="div" maw="100%">
          <Bounded text={`Reason: ${entry.detail.reason}`} lines={1} />
        </Text>
      )}
      <Group gap="xs">
        <Subject entry={entry} />
        <Button
          size="compact-xs"
          variant="subtle"
          px={0}
          onClick={toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          aria-label={`${isOpen ? "Hide" : "Show"} details of entry ${entry.position}`}
          rightSection={isOpen ? <IconChevronUp size={14} /> : <IconChevronDown size={14} />}
        >
          {isOpen ? "Hide details" : "Details"}
        </Button>
      </Group>
      <Collapse expanded={isOpen} id={id} w="100%">
        <Table variant="vertical" withTableBorder verticalSpacing={4} aria-label={`Details of entry ${entry.position}`}>
          <Table.Tbody>
            {lines.map(({ label, text }) => (
              <Table.Tr key={label}>
                <Table.Th w="40%" style={{ overflowWrap: "anywhere" }}>
                  <Foreign text={label} />
                </Table.Th>
                <Table.Td style={{ overflowWrap: "anywhere" }}>
                  <Foreign text={text} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Collapse>
    </Stack>
  );
}

const CHANGES_SHOWN = 2;

/** Each change in one line. Long values are cut on both sides of the arrow; the details have all of them. */
function Changes({ detail }: { detail: AuditEntry["detail"] }) {
  const changes = changesOf(detail);
  const others = changes.length - CHANGES_SHOWN;
  return (
    <>
      {changes.slice(0, CHANGES_SHOWN).map(({ label, from, to }) => (
        <Text key={label} size="sm" component="div" className="change">
          {label !== null && (
            <span className="bounded-line change-label">
              <Foreign text={label} />:
            </span>
          )}
          <Bounded text={from} lines={1} />
          <span>→</span>
          <Bounded text={to} lines={1} />
        </Text>
      ))}
      {others > 0 && <Text size="sm">{others === 1 ? "and 1 more change" : `and ${others} more changes`}</Text>}
    </>
  );
}

function Subject({ entry: { action, subject, detail } }: { entry: AuditEntry }) {
  const page = pageOf(action, subject, detail);
  if (page === null)
    return <Copyable value={subject} label="subject" short={subject.length > 40 || /^[0-9a-f-]{36}$/.test(subject)} />;
  return (
    <Group gap={4}>
      <Copyable value={subject} label="subject" short />
      <Anchor component={Link} to={page} size="sm" aria-label={`Open ${visibleText(subject)}`}>
        Open
      </Anchor>
    </Group>
  );
}
