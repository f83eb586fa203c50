import { Button, Code, Group, Text } from "@mantine/core";
import { IconFilterOff, IconPlayerPlay } from "@tabler/icons-react";
import { EmptyState } from "../parts/empty-state.tsx";
import { ButtonLink } from "../parts/router-links.ts";
import { countFilters, type RunFilters } from "./run-filters.ts";

interface Props {
  readonly filters: RunFilters;
  readonly onClear: () => void;
  /** `undefined` for whoever may not. */
  readonly onStart: (() => void) | undefined;
}

/** Nothing yet, or nothing that fits: these are two things, with two ways out. */
export function NoRuns({ filters, onClear, onStart }: Props) {
  if (countFilters(filters) > 0) {
    return (
      <EmptyState icon={IconFilterOff} title="No run fits these filters">
        <Text size="sm" mb="md">
          Runs that fit appear here by themselves as soon as there are any.
        </Text>
        <Button variant="default" onClick={onClear}>
          Clear the filters
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconPlayerPlay} title="No run yet">
      <Text size="sm" mb="md">
        Runs appear here as soon as somebody starts one, on this page or with <Code>POST /runs</Code>.
      </Text>
      <Group justify="center" gap="xs">
        {onStart !== undefined && <Button onClick={onStart}>Start the first run</Button>}
        <ButtonLink to="/agents" variant="default">
          See the agents
        </ButtonLink>
      </Group>
    </EmptyState>
  );
}
