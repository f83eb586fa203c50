import { Button, Divider, Popover, Radio, Stack, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { fromLocalInput, toLocalInput } from "./local-time.ts";
import { type RunFilters, SINCE, type Since } from "./run-filters.ts";

type Time = Pick<RunFilters, "since" | "from" | "to"> & { readonly time?: RunFilters["time"] };

interface Props {
  readonly value: Time;
  /** Gets the parts that change. */
  readonly onChange: (value: Partial<Time>) => void;
}

const NONE = { since: undefined, from: undefined, to: undefined } as const;

/** What the times are about, unless it is the creation. */
const ABOUT = { created: "", started: "Started: ", ended: "Ended: ", active: "Active: " } as const;

/** Filters runs by time, usually that of their creation: a relative period, or fixed times. */
export function TimeFilter({ value: { time = "created", since, from, to }, onChange }: Props) {
  const isFixed = from !== undefined || to !== undefined;
  const about = since === undefined && !isFixed ? "" : ABOUT[time];
  const period = since !== undefined ? SINCE[since].label : isFixed ? spanText(from, to) : "Any time";
  const label = `${about}${period}`;
  return (
    <Popover position="bottom-start" shadow="md" trapFocus returnFocus width={250}>
      <Popover.Target>
        <Button
          variant={since !== undefined || isFixed ? "light" : "default"}
          size="sm"
          px="sm"
          fw={500}
          aria-label={`Time: ${label}`}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Time">
        <Stack gap="sm">
          <Radio.Group
            aria-label="Time"
            value={since ?? (isFixed ? "" : "all")}
            onChange={(chosen) =>
              onChange(chosen === "all" ? { ...NONE, time: undefined } : { ...NONE, since: chosen as Since })
            }
          >
            <Stack gap={8}>
              <Radio value="all" label="Any time" size="sm" />
              {Object.entries(SINCE).map(([name, since]) => (
                <Radio key={name} value={name} label={since.label} size="sm" />
              ))}
            </Stack>
          </Radio.Group>
          <Divider />
          <TextInput
            type="datetime-local"
            label="From"
            size="xs"
            value={toLocalInput(from)}
            onChange={({ currentTarget }) =>
              onChange({ since: undefined, from: fromLocalInput(currentTarget.value) })
            }
          />
          <TextInput
            type="datetime-local"
            label="To"
            size="xs"
            value={toLocalInput(to)}
            onChange={({ currentTarget }) =>
              onChange({ since: undefined, to: fromLocalInput(currentTarget.value) })
            }
          />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "short", timeStyle: "short" });

function spanText(from: string | undefined, to: string | undefined): string {
  const text = (time: string) => SHORT.format(new Date(time));
  if (from === undefined) return to === undefined ? "Any time" : `Until ${text(to)}`;
  return to === undefined ? `Since ${text(from)}` : `${text(from)} – ${text(to)}`;
}
