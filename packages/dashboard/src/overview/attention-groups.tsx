import { IconAlertTriangle, IconCheckupList, IconHourglass, IconServerOff } from "@tabler/icons-react";
import type { Approval, Insights, RunnerRecord } from "@tenterhook/protocol/runs";
import { capitalized } from "../components/capitalized.ts";
import { countText } from "../components/count-text.ts";
import { formatCount } from "../components/format-count.ts";
import { HookLink } from "../components/hook-link.tsx";
import { AgentLink, RunLink } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { Ago } from "../components/times.tsx";
import { visibleText } from "../components/visible-text.ts";
import { decidedRuns } from "../insights/counted-runs.ts";
import { Attention, AttentionItem } from "./attention.tsx";
import type { FailingHook } from "./failing-hooks.ts";
import { InlineFailures } from "./inline-failures.tsx";
import { WAITING_STATUSES, type WaitingRuns } from "./waiting-runs.ts";

/** So many of a kind are named; the link has all of them. */
const MAX_NAMED = 4;
const MAX_REASON = 160;

interface PendingProps {
  readonly approvals: readonly Approval[];
  readonly isMore: boolean;
}

/** Questions that wait, the oldest first. */
export function PendingApprovals({ approvals, isMore }: PendingProps) {
  const oldest = approvals.toSorted(
    (one, other) => Date.parse(one.created_at) - Date.parse(other.created_at),
  );
  return (
    <Attention
      icon={IconCheckupList}
      title={
        <AnchorLink to="/approvals" inherit underline="always">
          {countText(approvals.length, "approval", { isMore })}{" "}
          {approvals.length === 1 && !isMore ? "waits" : "wait"} for a decision
        </AnchorLink>
      }
    >
      {oldest.slice(0, MAX_NAMED).map(({ approval_id, run_id, agent_name, asked_by, reason, created_at }) => (
        <AttentionItem key={approval_id}>
          Asked <Ago time={created_at} /> by {visibleText(asked_by)}
          {agent_name !== null && (
            <>
              {" "}
              in a run of <AgentLink name={agent_name} />
            </>
          )}
          : {shorten(reason)}{" "}
          <RunLink id={run_id} ff="inherit" underline="always">
            View the run
          </RunLink>
        </AttentionItem>
      ))}
    </Attention>
  );
}

interface FailingProps {
  readonly hooks: readonly FailingHook[];
  readonly period: Pick<Insights, "since" | "until">;
}

/** Hooks that failed in the last day, with their most frequent failure. */
export function FailingHooks({ hooks, period }: FailingProps) {
  return (
    <Attention
      icon={IconAlertTriangle}
      title={
        <AnchorLink to="/runs" search={decidedRuns(period, ["failed"])} inherit underline="always">
          {countText(hooks.length, "hook")} failed in the last day
        </AnchorLink>
      }
    >
      {hooks.slice(0, MAX_NAMED).map(({ key, name, event, failed, calls, reason, exampleRun }) => {
        const text = `${formatCount(failed)} of ${countText(calls, "call")} failed`;
        return (
          <AttentionItem key={`${key ?? name} ${event}`}>
            {key === undefined ? name : <HookLink hook={key} underline="always" />} on {event}:{" "}
            {key === undefined ? (
              <InlineFailures name={name} event={event} period={period}>
                {text}
              </InlineFailures>
            ) : (
              <AnchorLink
                to="/runs"
                search={decidedRuns(period, ["failed"], { hook: key })}
                inherit
                underline="always"
              >
                {text}
              </AnchorLink>
            )}
            {reason !== undefined && `, mostly: ${shorten(reason)}`}
            {exampleRun !== undefined && (
              <>
                {" "}
                <RunLink id={exampleRun} ff="inherit" underline="always">
                  View a run
                </RunLink>
              </>
            )}
          </AttentionItem>
        );
      })}
    </Attention>
  );
}

/** Runs that wait for a runner or a hook, and why the newest of them do. */
export function RunsThatWait({ waiting: { runs, count, more } }: { readonly waiting: WaitingRuns }) {
  return (
    <Attention
      icon={IconHourglass}
      title={
        <AnchorLink
          to="/runs"
          search={{ status: WAITING_STATUSES, serving: "true" }}
          inherit
          underline="always"
        >
          {countText(count, "run", { isMore: more })} {count === 1 && !more ? "waits" : "wait"}
        </AnchorLink>
      }
    >
      {runs.map(({ run, reason }) => (
        <AttentionItem key={run.run_id}>
          <RunLink id={run.run_id} /> of <AgentLink name={run.agent_name} />, created{" "}
          <Ago time={run.created_at} />: {capitalized(shorten(reason))}
        </AttentionItem>
      ))}
    </Attention>
  );
}

/** Runners that stopped responding. */
export function LostRunners({ runners }: { readonly runners: readonly RunnerRecord[] }) {
  return (
    <Attention
      icon={IconServerOff}
      title={
        <AnchorLink to="/runners" inherit underline="always">
          {countText(runners.length, "runner")} stopped responding in the last day
        </AnchorLink>
      }
    >
      {runners.slice(0, MAX_NAMED).map(({ runner_id, name, seen_at }) => (
        <AttentionItem key={runner_id}>
          {visibleText(name)}, last seen <Ago time={seen_at} />
        </AttentionItem>
      ))}
    </Attention>
  );
}

function shorten(text: string): string {
  return visibleText(text.length > MAX_REASON ? `${text.slice(0, MAX_REASON)}…` : text);
}
