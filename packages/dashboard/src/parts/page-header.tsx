import { Group, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { usePendingCount } from "../approvals/use-pending-count.ts";

interface Props {
  readonly title: string;
  /** Beside the title: badges, an id. */
  readonly beside?: ReactNode;
  /** At the right: what can be done. */
  readonly children?: ReactNode;
}

/** The head of a page; the browser's tab says the same. */
export function PageHeader({ title, beside, children }: Props) {
  // A tab in the background tells, too, that somebody is waited for.
  const waiting = usePendingCount();
  useDocumentTitle(`${waiting.count === 0 ? "" : `(${waiting.text}) `}${title} · Tenterhook`);
  return (
    <Group justify="space-between" align="center" mb="md" gap="sm">
      <Group gap="sm" miw={0}>
        <Title order={1} size="h2">
          {title}
        </Title>
        {beside}
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
