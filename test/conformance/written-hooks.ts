import { readFileSync } from "node:fs";
import { type EventName, eventRow } from "@tenterhook/protocol";
import type { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";
import type { Behaviour, Case, CaseHook, WrittenOutcome } from "./case.ts";

const INPUT_FIELDS = ["toolInput", "message", "taskDescription"];

/** Writes a case's hook as a HOOK.md with a shell script, which appends its name to `log` when it is called. */
export function writeHook(
  sandbox: FileHooksSandbox,
  index: number,
  event: EventName,
  hook: CaseHook,
  log: string,
): void {
  const {
    name,
    does = {},
    priority = 0,
    tool,
    pattern,
    effect: { notPath, ...effect } = {},
    mode,
    onError = "block",
    always,
    rejudge,
    enforce,
    timeoutMs,
  } = hook;
  const matcher = {
    ...(tool !== undefined && { tool: regex(tool) }),
    ...(pattern !== undefined && { pattern }),
    ...effect,
    ...(notPath !== undefined && { not_path: notPath }),
  };
  sandbox.hook(
    sandbox.userHooks,
    name,
    {
      name,
      trigger: event,
      // Ties of files go by name; these keep the order of the row.
      priority: 500 + 20 * priority - index,
      on_error: onError,
      ...(mode === "background" && { async: true }),
      ...(always !== undefined && { always }),
      ...(rejudge !== undefined && { rejudge }),
      ...(enforce !== undefined && { enforce }),
      // Only hooks that hang have one: they must have started by then, on a busy machine too.
      ...(timeoutMs !== undefined && { timeout: Math.max(timeoutMs, 1_500) }),
      ...(Object.keys(matcher).length > 0 && { matcher }),
    },
    [
      `echo ${name} >> ${log}`,
      `cat >/dev/null`,
      `again="$TENTERHOOK_STATE_DIR/${name}"`,
      behaviour(does),
    ].join("\n"),
  );
}

/** A script that behaves like this; its second call in a dispatch is a second judgement. */
function behaviour(does: Behaviour): string {
  if ("throws" in does) return `echo '${does.throws}' >&2; exit 1`;
  if ("hangs" in does) return "sleep 30";
  if ("returns" in does) return "exit 0";
  const answer = (outcome: WrittenOutcome | undefined) =>
    outcome === undefined ? ":" : `printf '%s' '${JSON.stringify(wire(outcome))}'`;
  return `if [ -e "$again" ]; then\n${answer(does.whenJudging)}\nelse\ntouch "$again"\n${answer(does.answers)}\nfi`;
}

/** An outcome as a script prints it. */
function wire({ type, reason, notBy, patch = {}, context }: WrittenOutcome): Record<string, unknown> {
  const input = INPUT_FIELDS.map((field) => patch[field]).find((value) => value !== undefined);
  return {
    decision: { proceed: "allow", block: "deny", stop: "stop", ask: "ask", skip: "skip", recover: "recover" }[
      type
    ],
    ...(reason !== undefined && { reason }),
    ...(notBy !== undefined && { not_by: notBy }),
    ...(input !== undefined && { modified_input: input }),
    ...(patch.toolResult !== undefined && { modified_result: patch.toolResult }),
    ...(context !== undefined && { additional_context: context }),
  };
}

/** Scripts cannot skip, recover, return null, or name fields; and the coordinator's events are not theirs. */
export function canBeWritten({ event, hooks }: Case): boolean {
  if (eventRow(event).layer !== "agent") return false;
  return hooks.every(({ does = {} }) => {
    if ("returns" in does) return does.returns === undefined;
    if ("throws" in does || "hangs" in does) return true;
    return [does.answers, does.whenJudging].every(
      (outcome) => outcome === undefined || isWritable(event, outcome),
    );
  });
}

function isWritable(event: EventName, { type, patch = {}, reason }: WrittenOutcome): boolean {
  const fields = Object.keys(patch);
  const isChangeable = fields.every(
    (field) => [...INPUT_FIELDS, "toolResult"].includes(field) && field in eventRow(event).changes,
  );
  return (
    type !== "skip" &&
    type !== "recover" &&
    isChangeable &&
    reason !== "" &&
    typeof patch.toolInput !== "string"
  );
}

function regex(tool: string): string {
  if (tool.startsWith("/")) return tool.slice(1, -1);
  return `^${tool.replaceAll("*", ".*")}$`;
}

export function lines(file: string): string[] {
  return readFileSync(file, "utf8").split("\n").filter(Boolean);
}
