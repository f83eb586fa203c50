import { Button, Checkbox, Divider, Popover, Stack } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";

interface Props<T extends string> {
  readonly label: string;
  readonly options: readonly T[];
  readonly value: readonly T[];
  readonly onChange: (value: readonly T[]) => void;
  /** Several at once, by one name. */
  readonly shortcuts?: readonly { readonly label: string; readonly value: readonly T[] }[];
}

/** A filter that lets through one or more of a few words; none chosen means all. */
export function ChoiceFilter<T extends string>({
  label,
  options,
  value,
  onChange,
  shortcuts = [],
}: Props<T>) {
  const isAtWork = value.length > 0;
  const shortcut = shortcuts.find((each) => each.value.join() === value.join());
  const said = shortcut?.label ?? (value.length <= 2 ? value.join(", ") : `${value.length} chosen`);
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <Button
          variant={isAtWork ? "light" : "default"}
          size="sm"
          px="sm"
          fw={500}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {isAtWork ? `${label}: ${said}` : label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>
        <Stack gap="xs">
          <Checkbox.Group
            aria-label={label}
            value={[...value]}
            // In the order of the options, whichever was chosen first: the address says it then in one way only.
            onChange={(chosen) => onChange(options.filter((option) => chosen.includes(option)))}
          >
            <Stack gap={8}>
              {options.map((option) => (
                <Checkbox key={option} value={option} label={option} size="sm" />
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
              onClick={() => onChange(each.value)}
            >
              {each.label}
            </Button>
          ))}
          <Button
            variant="subtle"
            size="compact-sm"
            justify="start"
            disabled={!isAtWork}
            onClick={() => onChange([])}
          >
            All
          </Button>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
