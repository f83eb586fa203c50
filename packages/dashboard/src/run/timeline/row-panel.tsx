import { ActionIcon, Button, Group, Stack, Text, Title } from "@mantine/core";
import { IconX, IconZoomIn } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { type ReactNode, useEffect, useMemo, useRef } from "react";
import { exactTimes } from "./exact-times.ts";
import { RowDecisions } from "./row-decisions.tsx";
import { RowDetails } from "./row-details.tsx";
import classes from "./row-panel.module.css";
import { RowTokens } from "./row-tokens.tsx";
import { STATE_LABELS } from "./state-labels.ts";
import type { Timeline, TimelineRow } from "./timeline-row.ts";
import { callsWithin, decisionsWithin, rowsWithin } from "./within-row.ts";

interface Props {
  readonly run: RunDetail;
  readonly timeline: Timeline;
  readonly row: TimelineRow;
  readonly now: number;
  readonly zoom: () => void;
  readonly close: () => void;
}

/** Everything about a row of the timeline: input, output, what hooks decided, tokens and cost. The focus moves here when a row is opened. */
export function RowPanel({ run, timeline, row, now, zoom, close }: Props) {
  const { id, label, about, state, detail } = row;
  const title = useRef<HTMLHeadingElement>(null);
  const rows = useMemo(() => rowsWithin(timeline.rows, id), [timeline, id]);
  const calls = useMemo(() => callsWithin(rows), [rows]);
  const to = row.to ?? Math.max(now, row.from);
  // biome-ignore lint/correctness/useExhaustiveDependencies: also when another row is opened
  useEffect(() => title.current?.focus({ preventScroll: true }), [id]);
  return (
    <section
      className={classes.panel}
      aria-labelledby="row-title"
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        event.preventDefault();
        close();
      }}
    >
      <Group justify="space-between" wrap="nowrap" align="flex-start" gap="xs">
        <div className={classes.head}>
          <Title order={2} size="h5" id="row-title" ref={title} tabIndex={-1} className={classes.title}>
            {label}
          </Title>
          {about !== undefined && (
            <Text size="sm" className={classes.quiet} lineClamp={2}>
              {about}
            </Text>
          )}
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Close the details" onClick={close}>
          <IconX size={18} aria-hidden />
        </ActionIcon>
      </Group>
      <Stack gap="md" mt="xs" className={classes.body} tabIndex={0} role="group" aria-label="Details">
        <div>
          <Text size="sm">{STATE_LABELS[state].label}</Text>
          <Text size="xs" className={classes.quiet}>
            {exactTimes(row, to, timeline.from)}
          </Text>
          {to > row.from && (
            <Button
              size="compact-xs"
              variant="default"
              mt={6}
              leftSection={<IconZoomIn size={14} aria-hidden />}
              onClick={zoom}
            >
              Zoom to this
            </Button>
          )}
        </div>
        {calls.length > 0 && (
          <Part title="Tokens and cost">
            <RowTokens calls={calls} />
          </Part>
        )}
        <RowDetails row={row} run={run} />
        {(detail.type === "step" || detail.type === "tool" || rows.length > 1) && (
          <Part title="Hook decisions">
            <RowDecisions key={id} rows={decisionsWithin(rows)} />
          </Part>
        )}
      </Stack>
    </section>
  );
}

function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text size="xs" component="h3" fw={500} className={classes.quiet} mb={2}>
        {title}
      </Text>
      {children}
    </div>
  );
}
