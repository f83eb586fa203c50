import { Stack, Text, ThemeIcon, Title } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";

interface Props {
  readonly icon: ComponentType<{ readonly "aria-hidden"?: boolean; readonly size?: number }>;
  readonly title: string;
  /** What would be here, and how to get it. */
  readonly children?: ReactNode;
}

/** Shown in place of an empty list. */
export function EmptyState({ icon: Icon, title, children }: Props) {
  return (
    <Stack align="center" gap="xs" py={64} px="md" ta="center">
      <ThemeIcon size={56} radius="xl" variant="light" color="gray">
        <Icon aria-hidden size={28} />
      </ThemeIcon>
      <Title order={2} size="h4">
        {title}
      </Title>
      <Text component="div" size="sm" c="dimmed" maw={460}>
        {children}
      </Text>
    </Stack>
  );
}
