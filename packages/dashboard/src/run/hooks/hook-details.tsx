import { Stack } from "@mantine/core";
import type { HookRecord } from "@tenterhook/protocol/runs";
import { Disclosure } from "../../components/disclosure.tsx";
import { durationText } from "../../components/durations.ts";
import { JsonView } from "../../components/json-view.tsx";
import { RunLink } from "../../components/links.tsx";
import { Duration } from "../../components/times.tsx";
import { Fact, Facts } from "../facts.tsx";
import { LongText } from "../long-text.tsx";
import { HookTarget } from "./hook-name.tsx";

const ON_ERROR_LABELS = {
  block: "block: the run does not continue without it",
  continue: "continue: the run continues without it",
} as const;

/** All details of a hook: target, input, output, error. */
export function HookDetails({ hook }: { readonly hook: HookRecord }) {
  const { created_at, started_at, finished_at, child_run_id, output } = hook;
  return (
    <Stack gap="sm">
      {hook.error !== null && <LongText label="Error" text={hook.error} isCode />}
      <Facts>
        <Fact label="Target">
          <span>
            <HookTarget hook={hook} />
          </span>
        </Fact>
        <Fact label="Mode">
          {hook.mode === "sync" ? "sync: the run waits for it" : "async: the run does not wait for it"}
        </Fact>
        <Fact label="on_error">{ON_ERROR_LABELS[hook.on_error]}</Fact>
        <Fact label="Duration">
          {started_at === null && finished_at === null ? (
            "not started"
          ) : (
            <Duration from={started_at ?? created_at} to={finished_at} />
          )}
          {started_at !== null &&
            ` after waiting ${durationText(Date.parse(started_at) - Date.parse(created_at))}`}
        </Fact>
        <Fact label="Timeout">
          {hook.timeout_seconds === null ? "none" : durationText(hook.timeout_seconds * 1_000)}
        </Fact>
        <Fact label="Attempt">{hook.attempt}</Fact>
        {hook.waiting !== null && <Fact label="Waits">{hook.waiting.detail}</Fact>}
        {child_run_id !== null && (
          <Fact label="Hook run">
            <RunLink id={child_run_id} />
          </Fact>
        )}
      </Facts>
      <Disclosure label="Input">
        <JsonView value={hook.input} label="the input of the hook" />
      </Disclosure>
      {output !== null && output !== undefined && (
        <Disclosure label="Output" isInitiallyOpen>
          <JsonView value={output} label="the output of the hook" />
        </Disclosure>
      )}
    </Stack>
  );
}
