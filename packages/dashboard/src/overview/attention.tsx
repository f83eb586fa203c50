import { Group, Stack, Text } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";

interface Props {
  readonly icon: ComponentType<{ readonly "aria-hidden"?: boolean; readonly size?: number }>;
  readonly title: ReactNode;
  readonly children: ReactNode;
}

/** Things of one kind that need a person. */
export function Attention({ icon: Icon, title, children }: Props) {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start">
      <span style={{ flex: "none" }}>
        <Icon size={18} aria-hidden />
      </span>
      <Stack gap={4} miw={0}>
        <Text size="sm" fw={600} component="div">
          {title}
        </Text>
        <Stack gap={4} component="ul" m={0} p={0} style={{ listStyle: "none" }}>
          {children}
        </Stack>
      </Stack>
    </Group>
  );
}

export function AttentionItem({ children }: { readonly children: ReactNode }) {
  return (
    <Text size="sm" component="li" style={{ overflowWrap: "anywhere" }}>
      {children}
    </Text>
  );
}
