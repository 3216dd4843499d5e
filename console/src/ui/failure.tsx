import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { codeOf, messageOf } from "../api/errors.ts";

/** What went wrong, in the API's own words, and a way to try again. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle />} title="That did not work">
      <Text size="sm">{messageOf(error)}</Text>
      <Group mt="xs" gap="sm">
        <Code>{codeOf(error)}</Code>
        {onRetry !== undefined && (
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Alert>
  );
}
