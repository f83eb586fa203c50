import { isRecord, ownField } from "@tenterhook/internal";
import type { Approval, HookRecord } from "@tenterhook/protocol/runs";
import { capitalized } from "../../components/capitalized.ts";
import { HOOK_TYPE_LABELS } from "../../components/hook-labels.ts";
import { inputSummary } from "../timeline/input-summary.ts";

/** A hook in words. */
export interface HookSummary {
  /** What it was asked about: `Shell rm -rf build`. */
  readonly about: string;
  /** What it decided: `refused`. */
  readonly decided: string;
  readonly why: string | undefined;
  /** It let everything proceed as it was. */
  readonly isUnchanged: boolean;
}

/** What a hook was about, what was decided and why. */
export function hookSummary(hook: HookRecord, approvals: readonly Approval[]): HookSummary {
  const about = formatSubject(hook);
  const approval = approvals.findLast(({ hook_id }) => hook_id === hook.hook_id);
  const output = isRecord(hook.output) ? hook.output : {};
  const outputReason = textOf(output.block_reason) ?? textOf(output.reason);
  switch (hook.state) {
    case "blocked":
      return notable(
        about,
        byPerson(approval, "refused"),
        textOf(approval?.decision?.reason) ?? outputReason,
      );
    case "failed":
      return notable(
        about,
        hook.enforce && hook.on_error === "block"
          ? "failed, so the run does not continue"
          : "failed; the run continues",
        hook.error ?? undefined,
      );
    case "asking":
      return notable(about, "waits for approval", approval?.reason ?? outputReason);
    case "pending":
      return notable(about, hook.waiting === null ? "has not begun" : "waits", hook.waiting?.detail);
    case "running":
    case "waiting":
      return notable(about, "is running", undefined);
    case "cancelled":
      return notable(about, "was cancelled", hook.error ?? undefined);
    case "done":
      return approval === undefined
        ? done(hook, about, output)
        : notable(about, byPerson(approval, "let it proceed"), approval.reason);
  }
}

function done(hook: HookRecord, about: string, output: Readonly<Record<string, unknown>>): HookSummary {
  const changed = CHANGED.filter(
    (name) => output[name] !== undefined && !isEqual(output[name], hook.input[name]),
  );
  const change = changed.join(" and the ").replaceAll("_", " ");
  if (!hook.enforce) {
    const would =
      ownField(NOT_ENFORCED, String(output.action)) ?? (change === "" ? undefined : `changed the ${change}`);
    if (would !== undefined)
      return notable(
        about,
        `would have ${would} (not enforced)`,
        textOf(output.block_reason) ?? textOf(output.reason),
      );
  } else if (changed.length > 0) return notable(about, `changed the ${change}`, textOf(output.reason));
  const isDecider = DECIDERS.includes(hook.hook_type);
  return {
    about,
    decided: isDecider ? "let it proceed" : "is done",
    why: textOf(output.reason),
    isUnchanged: true,
  };
}

/** What the answer of a hook that is not enforced would have done, by its action. */
const NOT_ENFORCED: Readonly<Record<string, string>> = { block: "blocked", ask: "asked a person" };

const DECIDERS: readonly HookRecord["hook_type"][] = ["on_run_start", "on_tool_call", "on_result"];
const CHANGED = ["parameters", "tool_input", "result_text", "result_data"] as const;

const notable = (about: string, decided: string, why: string | undefined): HookSummary => ({
  about,
  decided,
  why,
  isUnchanged: false,
});

function formatSubject({ hook_type, input }: HookRecord): string {
  const tool = textOf(input.tool_name);
  if (tool === undefined) return capitalized(HOOK_TYPE_LABELS[hook_type] ?? hook_type);
  const summary = inputSummary(input.tool_input, 120);
  return summary === undefined ? tool : `${tool} ${summary}`;
}

function byPerson(approval: Approval | undefined, otherwise: string): string {
  if (approval === undefined) return otherwise;
  const by = approval.decided_by === null ? "" : ` by ${approval.decided_by}`;
  if (approval.state === "expired") return "refused: no decision in time";
  if (approval.state === "rejected") return `rejected${by}`;
  return approval.decision?.type === "edit" ? `approved with changes${by}` : `approved${by}`;
}

const isEqual = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
const textOf = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
