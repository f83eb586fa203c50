import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { ProblemError } from "../api/problem-error.ts";
import { messageOf } from "./problem-words.ts";

/** Says what could not be read or done, and offers to try again. */
export function ProblemState({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const problem = error instanceof ProblemError ? error.problem : undefined;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={problem?.title ?? "That did not work"}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{messageOf(error)}</Text>
        {problem?.error_id !== undefined && (
          <Text size="xs" c="dimmed">
            The coordinator's log has more under <Code>{problem.error_id}</Code>
          </Text>
        )}
        {retry !== undefined && (
          <Group>
            <Button size="xs" variant="default" onClick={retry}>
              Try again
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
