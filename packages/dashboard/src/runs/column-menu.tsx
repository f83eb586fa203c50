import { Button, Checkbox, Divider, Popover, Stack } from "@mantine/core";
import { IconColumns3 } from "@tabler/icons-react";
import { type ColumnName, RUN_COLUMNS } from "./run-columns.ts";
import type { RunColumns } from "./use-run-columns.ts";

const CHOICES = RUN_COLUMNS.filter(({ isFilled }) => isFilled !== undefined);

/** Chooses the columns of the list. Small screens show cards instead, without columns to choose. */
export function ColumnMenu({ columns, isChosen, choose, reset }: RunColumns) {
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant="default"
          px="sm"
          visibleFrom="md"
          leftSection={<IconColumns3 size={16} aria-hidden />}
        >
          Columns
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Columns">
        <Stack gap="xs">
          <Checkbox.Group
            aria-label="Columns"
            value={columns.map(({ name }) => name)}
            onChange={(names) => choose(names as ColumnName[])}
          >
            <Stack gap={8}>
              {CHOICES.map(({ name, label }) => (
                <Checkbox key={name} value={name} label={label} size="sm" />
              ))}
            </Stack>
          </Checkbox.Group>
          <Divider />
          <Button size="xs" variant="subtle" disabled={!isChosen} onClick={reset}>
            Default columns
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
