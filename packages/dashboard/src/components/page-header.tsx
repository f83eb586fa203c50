import { Group, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { usePendingCount } from "./use-pending-count.ts";

interface Props {
  readonly title: string;
  /** Beside the title, such as badges. */
  readonly beside?: ReactNode;
  /** Buttons at the right. */
  readonly children?: ReactNode;
}

/** The title of a page, also of the browser tab. */
export function PageHeader({ title, beside, children }: Props) {
  // The tab title shows pending approvals also while the tab is in the background.
  const pending = usePendingCount();
  useDocumentTitle(`${pending.count === 0 ? "" : `(${pending.text}) `}${title} · Tenterhook`);
  return (
    <Group justify="space-between" align="center" mb="md" gap="sm">
      <Group gap="sm" miw={0}>
        <Title order={1} size="h2" miw={0} style={{ overflowWrap: "anywhere" }}>
          {title}
        </Title>
        {beside}
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
