import { Text, Tooltip } from "@mantine/core";
import { useNow } from "./clock.ts";
import { agoText, durationText } from "./durations.ts";
import { exactTime } from "./exact-time.ts";

/** The time since a moment; the tooltip has the exact time. */
export function Ago({ time }: { readonly time: string }) {
  const now = useNow();
  return (
    <Tooltip label={exactTime(time)}>
      <Text component="time" dateTime={time} size="sm" inherit>
        {agoText(now - Date.parse(time))}
      </Text>
    </Tooltip>
  );
}

/** The same in a row of a long list, as a plain element, which is cheaper to render. */
export function RowAgo({ time }: { readonly time: string }) {
  const now = useNow();
  return (
    <time dateTime={time} title={exactTime(time)}>
      {agoText(now - Date.parse(time))}
    </time>
  );
}

/** A duration; `to` is null while it is running. */
export function Duration({ from, to }: { readonly from: string; readonly to: string | null }) {
  return to === null ? <RunningDuration from={from} /> : durationText(Date.parse(to) - Date.parse(from));
}

function RunningDuration({ from }: { readonly from: string }) {
  const now = useNow();
  // Whole seconds, because the clock ticks every second.
  return <>{durationText(Math.max(0, Math.floor((now - Date.parse(from)) / 1_000) * 1_000))}</>;
}
