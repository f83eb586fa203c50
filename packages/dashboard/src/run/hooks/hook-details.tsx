import { Stack } from "@mantine/core";
import type { HookRecord } from "@tenterhook/protocol/runs";
import { durationText } from "../../parts/durations.ts";
import { JsonView } from "../../parts/json-view.tsx";
import { RunLink } from "../../parts/links.tsx";
import { Took } from "../../parts/times.tsx";
import { Fact, Facts } from "../facts.tsx";
import { LongText } from "../long-text.tsx";
import { Opening } from "../opening.tsx";
import { HookTarget } from "./hook-name.tsx";

const ON_ERROR_WORDS = {
  block: "block: the run does not go on without it",
  continue: "continue: the run goes on without it",
} as const;

/** A hook in full: what it was asked, what it answered, what went wrong and what that meant. */
export function HookDetails({ hook }: { readonly hook: HookRecord }) {
  const { created_at, started_at, finished_at, child_run_id, output } = hook;
  return (
    <Stack gap="sm">
      {hook.error !== null && <LongText label="Error" text={hook.error} isCode />}
      <Facts>
        <Fact label="Carried out by">
          <span>
            <HookTarget hook={hook} />
          </span>
        </Fact>
        <Fact label="Mode">
          {hook.mode === "sync" ? "sync: the run waits for it" : "async: nobody waits for it"}
        </Fact>
        <Fact label="on_error">{ON_ERROR_WORDS[hook.on_error]}</Fact>
        <Fact label="Duration">
          {started_at === null && finished_at === null ? (
            "not begun"
          ) : (
            <Took from={started_at ?? created_at} to={finished_at} />
          )}
          {started_at !== null &&
            ` after waiting ${durationText(Date.parse(started_at) - Date.parse(created_at))}`}
        </Fact>
        <Fact label="Timeout">
          {hook.timeout_seconds === null ? "none" : durationText(hook.timeout_seconds * 1_000)}
        </Fact>
        <Fact label="Attempt">{hook.attempt}</Fact>
        {child_run_id !== null && (
          <Fact label="Its own run">
            <RunLink id={child_run_id} />
          </Fact>
        )}
      </Facts>
      <Opening label="Input">
        <JsonView value={hook.input} label="the input of the hook" />
      </Opening>
      {output !== null && output !== undefined && (
        <Opening label="Output" isOpen>
          <JsonView value={output} label="the output of the hook" />
        </Opening>
      )}
    </Stack>
  );
}
