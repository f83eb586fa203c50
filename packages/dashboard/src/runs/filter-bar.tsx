import { Box, Button, Group, Switch } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconFishHook, IconX } from "@tabler/icons-react";
import { type RunStatus, statusLabel } from "@tenterhook/protocol/runs";
import type { ReactNode } from "react";
import { AgentFilter } from "../components/agent-filter.tsx";
import { ChoiceFilter } from "./choice-filter.tsx";
import { CountedFilter } from "./counted-filter.tsx";
import classes from "./filter-bar.module.css";
import { HookFilter } from "./hook-filter.tsx";
import {
  ACTIVE_STATUSES,
  countFilters,
  type FilterChange,
  KINDS,
  NO_FILTERS,
  type RunFilters,
  STATUSES,
} from "./run-filters.ts";
import { SearchFilter } from "./search-filter.tsx";
import { TimeFilter } from "./time-filter.tsx";

interface Props {
  readonly filters: RunFilters;
  /** `isTyping`: further changes are likely to follow. */
  readonly onChange: (change: FilterChange, isTyping: boolean) => void;
}

const STATUS_SHORTCUTS = [{ label: "Active", value: ACTIVE_STATUSES }];

/** Where one status includes others. */
const STATUS_HINTS: Readonly<Partial<Record<RunStatus, string>>> = {
  failed: "blocked ones too",
  blocked: "refused by a hook or a person",
  needs_approval: "in any state",
};

/** The filters of the list of runs. On a small screen all but the search is behind a button. */
export function FilterBar({ filters, onChange }: Props) {
  const [isOpen, { toggle }] = useDisclosure();
  const update = (part: (before: RunFilters) => Partial<RunFilters>, isTyping = false) =>
    onChange((before) => ({ ...before, ...part(before) }), isTyping);
  const change = (part: Partial<RunFilters>, isTyping = false) => update(() => part, isTyping);
  const count = countFilters(filters);
  return (
    <Box component="search" aria-label="Filters" className={classes.bar} mb="sm">
      <SearchFilter value={filters.search} onChange={(search) => change({ search }, true)} />
      <Button
        className={classes.opener}
        variant="default"
        px="sm"
        aria-expanded={isOpen}
        onClick={toggle}
        leftSection={<IconAdjustmentsHorizontal size={16} aria-hidden />}
      >
        {count === 0 ? "Filters" : `Filters (${count})`}
      </Button>
      <Group gap="xs" className={classes.filters} mod={{ open: isOpen }}>
        <ChoiceFilter
          label="Status"
          options={STATUSES}
          labelOf={statusLabel}
          hints={STATUS_HINTS}
          value={filters.status}
          onChange={(chosen) => update(({ status }) => ({ status: chosen(status) }))}
          shortcuts={STATUS_SHORTCUTS}
        />
        <AgentFilter
          value={filters.agent ?? ""}
          onChange={(agent) => change({ agent: agent || undefined })}
          w={170}
        />
        <ToggleFilter
          icon={<IconFishHook size={16} aria-hidden />}
          isPressed={filters.hasHooks}
          onToggle={() => update(({ hasHooks }) => ({ hasHooks: !hasHooks }))}
        >
          Has hooks
        </ToggleFilter>
        <HookFilter value={filters} onChange={update} />
        <CountedFilter filters={filters} onChange={change} />
        <ChoiceFilter
          label="Kind"
          options={KINDS}
          value={filters.kind}
          onChange={(chosen) => update(({ kind }) => ({ kind: chosen(kind) }))}
        />
        <Switch
          label="Runs of hooks and chains"
          checked={filters.serving}
          disabled={filters.kind.length > 0}
          onChange={() => update(({ serving }) => ({ serving: !serving }))}
        />
        <TimeFilter value={filters} onChange={(time) => change(time, time.since === undefined)} />
        {count > 0 && (
          <Button
            variant="subtle"
            color="gray"
            px="xs"
            leftSection={<IconX size={14} aria-hidden />}
            onClick={() => update(({ serving }) => ({ ...NO_FILTERS, serving }))}
          >
            Clear all
          </Button>
        )}
      </Group>
    </Box>
  );
}

interface ToggleProps {
  readonly icon: ReactNode;
  readonly isPressed: boolean;
  readonly onToggle: () => void;
  readonly children: ReactNode;
}

function ToggleFilter({ icon, isPressed, onToggle, children }: ToggleProps) {
  return (
    <Button
      variant={isPressed ? "light" : "default"}
      px="sm"
      fw={500}
      leftSection={icon}
      aria-pressed={isPressed}
      onClick={onToggle}
    >
      {children}
    </Button>
  );
}
