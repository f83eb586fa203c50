import { Alert, Stack, Text } from "@mantine/core";
import { IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { StartRunner } from "../components/start-runner.tsx";

/** Says that runs would wait, while no runner takes new ones. */
export function NoRunnerNotice() {
  const { data } = useQuery(queries.runners());
  if (data === undefined || data.some(({ state }) => state === "online")) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      w="100%"
      ta="left"
      title="No runner connected"
      icon={<IconServer2 aria-hidden />}
    >
      <Stack gap={4}>
        <Text size="sm">You can start runs, but they wait until a runner connects:</Text>
        <StartRunner />
      </Stack>
    </Alert>
  );
}
