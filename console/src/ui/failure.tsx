import { Alert, Button, Code, Group, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { codeOf, messageOf } from "../api/errors.ts";
import { Foreign } from "./foreign.tsx";

interface FailureProps {
  readonly error: unknown;
  /** What was tried, as in "load the campaign". */
  readonly action: string;
  readonly onRetry?: (() => void) | undefined;
}

/** What could not be done, the API's reason, and a way to try again. */
export function Failure({ error, action, onRetry }: FailureProps) {
  return (
    <Alert color="red" role="alert" icon={<IconAlertTriangle />} title={`Could not ${action}`}>
      <Text size="sm">
        <Foreign text={messageOf(error)} />
      </Text>
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
