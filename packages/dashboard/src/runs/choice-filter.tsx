import { Button, Checkbox, Divider, Popover, Stack } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { applyToggles } from "./apply-toggles.ts";

interface Props<T extends string> {
  readonly label: string;
  readonly options: readonly T[];
  /** Default: the option itself. */
  readonly labelOf?: (option: T) => string;
  /** What options mean, below their labels. */
  readonly hints?: Readonly<Partial<Record<T, string>>>;
  readonly value: readonly T[];
  /** Gets what makes the next value of the one that is set when it is called. */
  readonly onChange: (chosen: (before: readonly T[]) => readonly T[]) => void;
  /** Named sets of options. */
  readonly shortcuts?: readonly { readonly label: string; readonly value: readonly T[] }[];
}

/** A filter with several options; none selected means all. */
export function ChoiceFilter<T extends string>({
  label,
  options,
  labelOf = (option) => option,
  hints,
  value,
  onChange,
  shortcuts = [],
}: Props<T>) {
  const isActive = value.length > 0;
  const shortcut = shortcuts.find((each) => each.value.join() === value.join());
  const summary =
    shortcut?.label ?? (value.length <= 2 ? value.map(labelOf).join(", ") : `${value.length} selected`);
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={isActive ? "light" : "default"}
          size="sm"
          px="sm"
          fw={500}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {isActive ? `${label}: ${summary}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap="xs">
          <Checkbox.Group
            aria-label={label}
            value={[...value]}
            onChange={(chosen) =>
              // In the order of the options, so that equal filters have equal addresses.
              onChange((before) => {
                const now = applyToggles(before, value, chosen);
                return options.filter((option) => now.includes(option));
              })
            }
          >
            <Stack gap={8}>
              {options.map((option) => (
                <Checkbox
                  key={option}
                  value={option}
                  label={labelOf(option)}
                  description={hints?.[option]}
                  size="sm"
                />
              ))}
            </Stack>
          </Checkbox.Group>
          <Divider />
          {shortcuts.map((each) => (
            <Button
              key={each.label}
              variant="subtle"
              size="compact-sm"
              justify="start"
              onClick={() => onChange(() => each.value)}
            >
              {each.label}
            </Button>
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            justify="start"
            disabled={!isActive}
            onClick={() => onChange(() => [])}
          >
            All
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
