import { Text } from "@mantine/core";
import { formatVerdict } from "@tenterhook/protocol/internal";
import type { HookInUse, HookResultCount } from "@tenterhook/protocol/runs";
import { hookLabel } from "../components/hook-label.ts";
import { AnchorLink } from "../components/router-links.ts";
import type { RunFilters } from "../runs/run-filters.ts";
import { callsText, runsOfResult, runsText } from "./results.ts";

/** The time of the runs that are counted. */
export type ResultTime = Pick<RunFilters, "since" | "from" | "to">;

interface Props {
  readonly hook: Pick<HookInUse, "hook">;
  readonly time: ResultTime;
}

/** How often a hook had an outcome, as a link to the runs; with the outcome's name where no heading has it. */
export function ResultLink({
  hook: { hook },
  time,
  result,
  isNamed = false,
}: Props & { readonly result: HookResultCount; readonly isNamed?: boolean }) {
  const runs = runsText(result);
  return (
    <span style={{ whiteSpace: "nowrap" }}>
      <AnchorLink
        to="/runs"
        search={runsOfResult(hook, result.outcome, time)}
        inherit
        underline="always"
        aria-label={`${callsText(result)} ${formatVerdict(result.outcome)}${runs === undefined ? "" : ` ${runs}`}: runs of ${hookLabel(hook)}`}
      >
        {isNamed ? `${callsText(result)} ${formatVerdict(result.outcome)}` : callsText(result)}
      </AnchorLink>
      {runs !== undefined && (
        <Text span size="xs" c="dimmed">
          {" "}
          {runs}
        </Text>
      )}
    </span>
  );
}

/** All results of a hook in one line. */
export function ResultLinks({ hook, time }: { readonly hook: HookInUse; readonly time: ResultTime }) {
  if (hook.results.length === 0) return <Text size="sm">{noResults(hook, time)}</Text>;
  return (
    <Text size="sm" component="div">
      {hook.results.map((result, index) => (
        <span key={result.outcome}>
          {index > 0 && ", "}
          <ResultLink hook={hook} time={time} result={result} isNamed />
        </span>
      ))}
    </Text>
  );
}

/** What is shown in place of results. */
export function noResults({ source }: Pick<HookInUse, "source">, { since, from, to }: ResultTime): string {
  const isAlways = since === undefined && from === undefined && to === undefined;
  if (source === "runner") return isAlways ? "has not been called yet" : "was not called in this time";
  return isAlways ? "has not run yet" : "did not run in this time";
}
