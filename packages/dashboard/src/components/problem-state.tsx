import { Alert, Button, Code, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { readProblem } from "../api/problem.ts";
import { errorMessage } from "./error-message.ts";

/** An error of a request, with a retry button. */
export function ProblemState({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
  const problem = readProblem(error);
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={problem?.title ?? "Request failed"}
      icon={<IconAlertTriangle aria-hidden />}
    >
      <Stack gap="xs" align="flex-start">
        <Text size="sm">{errorMessage(error)}</Text>
        {problem?.error_id !== undefined && (
          <Text size="xs" c="dimmed">
            See the coordinator's log for <Code>{problem.error_id}</Code>
          </Text>
        )}
        {retry !== undefined && (
          <Group>
            <Button size="xs" variant="default" onClick={retry}>
              Retry
            </Button>
          </Group>
        )}
      </Stack>
    </Alert>
  );
}
