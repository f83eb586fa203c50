import { Text, Tooltip } from "@mantine/core";
import { useNow } from "./clock.ts";
import { agoText, durationText } from "./durations.ts";

/** How long ago something was; the exact time is in the tooltip. */
export function Ago({ time }: { readonly time: string }) {
  const now = useNow();
  return (
    <Tooltip label={new Date(time).toLocaleString()}>
      <Text component="time" dateTime={time} size="sm" inherit>
        {agoText(now - Date.parse(time))}
      </Text>
    </Tooltip>
  );
}

/** How long something took, or has been taking. */
export function Took({ from, to }: { readonly from: string; readonly to: string | null }) {
  return to === null ? <Counting from={from} /> : durationText(Date.parse(to) - Date.parse(from));
}

function Counting({ from }: { readonly from: string }) {
  const now = useNow();
  // Whole seconds: a clock of seconds should not seem to know more.
  return <>{durationText(Math.max(0, Math.floor((now - Date.parse(from)) / 1_000) * 1_000))}</>;
}
