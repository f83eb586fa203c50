import { Button, Checkbox, Popover, Select, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { formatVerdict } from "@tenterhook/protocol/internal";
import type { HookResultOutcome } from "@tenterhook/protocol/runs";
import { queries } from "../api/queries.ts";
import { hookLabel } from "../components/hook-label.ts";
import { applyToggles } from "./apply-toggles.ts";
import { HOOK_OUTCOMES, type RunFilters } from "./run-filters.ts";

type Value = Pick<RunFilters, "hook" | "hookOutcome">;

interface Props {
  readonly value: Value;
  /** Gets what makes the next value of the one that is set when it is called. */
  readonly onChange: (chosen: (before: Value) => Value) => void;
}

/** Filters runs by a hook that was called in them, and by what came of it. */
export function HookFilter({ value: { hook, hookOutcome }, onChange }: Props) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const label =
    hook === undefined ? "Any hook" : [hookLabel(hook), ...hookOutcome.map(formatVerdict)].join(" ");
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
      width={280}
    >
      <Popover.Target>
        <Button
          variant={hook === undefined ? "default" : "light"}
          size="sm"
          px="sm"
          fw={500}
          maw={280}
          aria-label={`Hook: ${label}`}
          title={label}
          onClick={toggle}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Hook">
        {isOpen && <Choices value={{ hook, hookOutcome }} onChange={onChange} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ value: { hook, hookOutcome }, onChange }: Props) {
  const { data = [] } = useQuery(queries.hooksInUse({}, ""));
  const keys = data.map((inUse) => inUse.hook);
  // One that is only in the address is offered too.
  const offered = hook === undefined || keys.includes(hook) ? keys : [hook, ...keys];
  return (
    <Stack gap="sm">
      <Select
        label="Hook"
        placeholder="Any hook"
        searchable
        clearable
        data={offered.map((key) => ({ value: key, label: hookLabel(key) }))}
        value={hook ?? null}
        comboboxProps={{ withinPortal: false }}
        onChange={(chosen) => onChange(() => ({ hook: chosen ?? undefined, hookOutcome: [] }))}
      />
      {hook !== undefined && (
        <Checkbox.Group
          label="Outcome"
          value={[...hookOutcome]}
          onChange={(chosen) =>
            onChange((before) => ({
              hook,
              hookOutcome: applyToggles(before.hookOutcome, hookOutcome, chosen),
            }))
          }
        >
          <Stack gap={6} mt={6}>
            {HOOK_OUTCOMES.filter((outcome) => isPossible(hook, outcome)).map((outcome) => (
              <Checkbox key={outcome} value={outcome} label={formatVerdict(outcome)} size="sm" />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </Stack>
  );
}

const OF_RUN_HOOKS: readonly HookResultOutcome[] = [
  ...(["passed", "blocked", "asked", "failed", "cancelled"] as const),
  ...(["would_block", "would_ask", "would_change"] as const),
];

function isPossible(hook: string, outcome: HookResultOutcome): boolean {
  return hook.startsWith("runner:") ? outcome !== "cancelled" : OF_RUN_HOOKS.includes(outcome);
}
