import { Badge, Paper } from "@mantine/core";
import { callsOf, type RunDetail, tokensText, usageOf } from "@tenterhook/protocol/runs";
import { useMemo } from "react";
import { ByPerson } from "../../components/by-person.tsx";
import { CopyIcon } from "../../components/json-view.tsx";
import { AgentLink, RunLink, SessionLink, shortId } from "../../components/links.tsx";
import { AnchorLink } from "../../components/router-links.ts";
import { RunDuration } from "../../components/run-duration.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { Ago } from "../../components/times.tsx";
import { TrialBadge } from "../../components/trial-badge.tsx";
import { useRunnerName } from "../../components/use-runner-name.ts";
import { useCost } from "../data/cost.tsx";
import type { RunEvents } from "../events/use-run-events.ts";
import { Fact, Facts } from "../facts.tsx";

const KIND_LABELS: Readonly<Record<RunDetail["kind"], string>> = {
  client: "started by a client",
  hook: "runs a hook",
  chained: "started by a finish hook",
  callback: "resumes its session with a result",
};

export function RunBadges({ run }: { readonly run: RunDetail }) {
  return (
    <>
      <StatusBadge status={run.status} waitingFor={run.waiting_for} blockReason={run.block_reason} />
      {run.trial ? (
        <TrialBadge label="trial of a hook" />
      ) : (
        run.kind !== "client" && (
          <Badge variant="default" radius="sm" tt="none" fw={500}>
            {KIND_LABELS[run.kind]}
          </Badge>
        )
      )}
    </>
  );
}

/** The main properties of a run. */
export function RunFacts({ run, events }: { readonly run: RunDetail; readonly events: RunEvents }) {
  const { run_id, session_id, parent_run_id, attempt, max_attempts, runner_id } = run;
  return (
    <Paper withBorder px="md" py="sm">
      <Facts>
        <Fact label="Run">
          <span title={run_id} style={{ fontFamily: "var(--mantine-font-family-monospace)" }}>
            {shortId(run_id)}
          </span>
          <CopyIcon text={run_id} label="Copy the run id" />
        </Fact>
        <Fact label="Agent">
          <AgentLink name={run.agent_name} />
          <span style={{ whiteSpace: "nowrap" }}>r{run.revision}</span>
        </Fact>
        <Fact label="Session">
          <SessionLink id={session_id} />
          <CopyIcon text={session_id} label="Copy the session id" />
        </Fact>
        {parent_run_id !== null && (
          <Fact label={run.kind === "hook" ? "Hook of" : "Started by"}>
            <RunLink id={parent_run_id} />
          </Fact>
        )}
        {run.retry_of !== null && (
          <Fact label="Retry of">
            <RunLink id={run.retry_of} />
          </Fact>
        )}
        <Fact label="Kind">{run.kind}</Fact>
        <Fact label="Attempts">{`${attempt} of ${max_attempts}`}</Fact>
        <Fact label="Runner">{runner_id === null ? "none" : <RunnerLink id={runner_id} />}</Fact>
        <Fact label="Created">
          <span>
            <Ago time={run.created_at} />
            <ByPerson name={run.created_by} />
          </span>
        </Fact>
        <Fact label="Started">
          {run.started_at === null ? (
            run.finished_at === null ? (
              "not yet"
            ) : (
              "never"
            )
          ) : (
            <Ago time={run.started_at} />
          )}
        </Fact>
        {run.stopped_by !== null && run.stop_requested_at !== null && (
          <Fact label={run.status === "stopped" ? "Stopped" : "Stop requested"}>
            <span>
              <Ago time={run.stop_requested_at} />
              <ByPerson name={run.stopped_by} />
            </span>
          </Fact>
        )}
        <Fact label="Duration">
          <RunDuration run={run} />
        </Fact>
        <UsageFacts events={events} />
      </Facts>
    </Paper>
  );
}

/** The tokens of the run's model calls, and what they cost where prices are known. */
function UsageFacts({ events: { events, readMore } }: { readonly events: RunEvents }) {
  const usage = useMemo(() => usageOf(events), [events]);
  const calls = useMemo(() => callsOf(events), [events]);
  const cost = useCost(calls);
  if (usage === undefined) return null;
  // Not all events of a very long run are read.
  const least = readMore === undefined ? "" : "at least ";
  return (
    <>
      <Fact label="Tokens">{`${least}${tokensText(usage).replace(/ tokens?/, "")}`}</Fact>
      {cost !== undefined && <Fact label="Cost">{`${least}${cost}`}</Fact>}
    </>
  );
}

/** A runner by its name; one that is no longer known by its id. */
function RunnerLink({ id }: { readonly id: string }) {
  const name = useRunnerName()(id);
  return (
    <AnchorLink to="/runners" size="sm" title={id} {...(name === undefined && { ff: "monospace" })}>
      {name ?? shortId(id)}
    </AnchorLink>
  );
}
