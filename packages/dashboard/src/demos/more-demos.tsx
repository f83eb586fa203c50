import { Stack, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { DemoButtons } from "./demo-buttons.tsx";
import { findDemos } from "./demos.ts";

/** The demos below the first runs, for a user who comes back from one of them. */
export function MoreDemos() {
  const { data = [] } = useQuery(queries.agents());
  const demos = findDemos(data);
  if (demos.length === 0) return null;
  return (
    <Stack component="section" aria-label="Demos" maw={800} mx="auto" mt={48} mb="xl" gap="sm">
      <Title order={2} size="h5">
        Demos
      </Title>
      <DemoButtons demos={demos} />
    </Stack>
  );
}
