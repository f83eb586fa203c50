import { Group, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { usePendingCount } from "./use-pending-count.ts";

interface Props {
  readonly title: string;
  /** An id after the title, in the monospaced font: the text font draws `0x0` as a multiplication sign. */
  readonly id?: string;
  /** Beside the title, such as badges. */
  readonly beside?: ReactNode;
  /** Buttons at the right. */
  readonly children?: ReactNode;
}

/** The title of a page, also of the browser tab. */
export function PageHeader({ title, id, beside, children }: Props) {
  // The tab title shows pending approvals also while the tab is in the background.
  const pending = usePendingCount();
  const titleText = id === undefined ? title : `${title} ${id}`;
  useDocumentTitle(`${pending.count === 0 ? "" : `(${pending.text}) `}${titleText} · Tenterhook`);
  return (
    <Group justify="space-between" align="center" mb="md" gap="sm">
      <Group gap="sm" miw={0}>
        <Title order={1} size="h2" miw={0} style={{ overflowWrap: "anywhere" }}>
          {title}
          {id !== undefined && (
            <>
              {" "}
              <Text span inherit ff="monospace">
                {id}
              </Text>
            </>
          )}
        </Title>
        {beside}
      </Group>
      <Group gap="xs">{children}</Group>
    </Group>
  );
}
