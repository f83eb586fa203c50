import { Box, Group, Skeleton, VisuallyHidden } from "@mantine/core";

const WIDTHS = [180, 140, 210, 160] as const;

/** Placeholders while runs are loading. */
export function RunSkeletons({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <Box role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Group key={index} h={42} px="sm" gap="xl" wrap="nowrap" aria-hidden>
          <Skeleton h={18} w={84} />
          <Skeleton h={12} w={WIDTHS[index % WIDTHS.length] ?? 160} />
          <Skeleton h={12} w={120} ml="auto" visibleFrom="sm" />
          <Skeleton h={12} w={70} />
        </Group>
      ))}
    </Box>
  );
}
