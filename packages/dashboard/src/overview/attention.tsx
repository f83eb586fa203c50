import { Group, Stack, Text } from "@mantine/core";
import type { ComponentType, ReactNode } from "react";
import { formatCount } from "../components/format-count.ts";

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

/** `1 run`, `1,000+ runs` */
export function countText(count: number, noun: string, isMore = false): string {
  return `${formatCount(count)}${isMore ? "+" : ""} ${count === 1 && !isMore ? noun : `${noun}s`}`;
}
