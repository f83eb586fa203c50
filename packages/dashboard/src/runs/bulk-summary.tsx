import { Button, Group, List, Modal, ScrollArea, Stack, Text } from "@mantine/core";
import { countText } from "../components/count-text.ts";
import { formatCount } from "../components/format-count.ts";
import { RunLink } from "../components/links.tsx";
import type { BulkAction, BulkFailure } from "./run-bulk.ts";
import type { BulkSummary as Summary } from "./use-bulk.ts";

const DONE: Readonly<Record<BulkAction, string>> = { stop: "Stop requested for", retry: "Retried" };
const NOT_DONE: Readonly<Record<BulkAction, string>> = { stop: "not stopped", retry: "not retried" };
/** How many of the runs with the same reason are named. */
const MAX_NAMED = 10;

interface Props {
  readonly summary: Summary;
  readonly onClose: () => void;
}

/** What failed when many runs were stopped or retried, by reason. */
export function BulkSummary({ summary: { action, done, failures, left }, onClose }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={`${DONE[action]} ${formatCount(done)} of ${countText(done + failures.length + left, "run")}`}
      closeButtonProps={{ "aria-label": "Close" }}
      centered
    >
      <Stack gap="sm">
        {left > 0 && (
          <Text size="sm">
            Cancelled: {countText(left, "run")} {NOT_DONE[action]}.
          </Text>
        )}
        {failures.length > 0 && (
          <ScrollArea.Autosize mah="50vh">
            <List spacing="sm" size="sm" listStyleType="none">
              {Array.from(groupByReason(failures), ([why, ids]) => (
                <List.Item key={why}>
                  <Text size="sm" fw={600}>
                    {countText(ids.length, "run")} {NOT_DONE[action]}
                  </Text>
                  <Text size="sm" style={{ overflowWrap: "anywhere" }}>
                    {why}
                  </Text>
                  <Group gap="xs">
                    {ids.slice(0, MAX_NAMED).map((id) => (
                      <RunLink key={id} id={id} />
                    ))}
                    {ids.length > MAX_NAMED && (
                      <Text size="sm" c="dimmed">
                        and {countText(ids.length - MAX_NAMED, "run")} more
                      </Text>
                    )}
                  </Group>
                </List.Item>
              ))}
            </List>
          </ScrollArea.Autosize>
        )}
        <Group justify="flex-end">
          <Button onClick={onClose}>Close</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Reasons name the run that they are about; without its id, equal ones are recognised. */
function groupByReason(failures: readonly BulkFailure[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>();
  for (const { run_id, why } of failures) {
    const reason = why.replaceAll(run_id, "it");
    groups.set(reason, [...(groups.get(reason) ?? []), run_id]);
  }
  return groups;
}
