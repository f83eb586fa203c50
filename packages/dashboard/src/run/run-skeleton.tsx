import { Group, Paper, Skeleton, Stack, VisuallyHidden } from "@mantine/core";

/** The placeholder while a run is loading. */
export function RunSkeleton() {
  return (
    <Stack gap="md" role="status">
      <VisuallyHidden>Loading run</VisuallyHidden>
      <Group justify="space-between">
        <Skeleton height={32} width={260} maw="60%" />
        <Skeleton height={30} width={110} />
      </Group>
      <Paper withBorder p="md">
        <Group gap="xl">
          {["a", "b", "c", "d", "e"].map((each) => (
            <Stack key={each} gap={6}>
              <Skeleton height={10} width={60} />
              <Skeleton height={14} width={110} />
            </Stack>
          ))}
        </Group>
      </Paper>
      <Paper withBorder p="md">
        <Stack gap="sm">
          {[30, 45, 80, 60, 25].map((width) => (
            <Skeleton key={width} height={14} width={`${width}%`} />
          ))}
        </Stack>
      </Paper>
    </Stack>
  );
}
