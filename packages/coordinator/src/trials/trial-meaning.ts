import type { RunHookType } from "@tenterhook/protocol/runs";
import { type HookDecision, isObserver } from "../domain/hook-decision.ts";

type Gate = "on_run_start" | "on_tool_call" | "on_result";

const UNCHANGED: Readonly<Record<Gate, string>> = {
  on_run_start: "The run would start with its parameters unchanged.",
  on_tool_call: "The tool would be called with its input unchanged.",
  on_result: "The result would be returned unchanged.",
};
const CHANGED: Readonly<Record<Gate, string>> = {
  on_run_start: "The run would start with the changed parameters.",
  on_tool_call: "The tool would be called with the changed input.",
  on_result: "The changed result would be returned.",
};
const REFUSED: Readonly<Record<Gate, string>> = {
  on_run_start: "the run would not start, and would fail with this reason.",
  on_tool_call: "the tool would not be called, and the agent would be given the reason.",
  on_result: "the result would be withheld, and the run would fail with this reason.",
};

interface MeantHook {
  readonly hook_type: RunHookType;
  readonly mode: "sync" | "async";
  readonly on_error: string;
  readonly enforce?: boolean | undefined;
}

/** What a hook's decision would mean for a run, as a sentence. */
export function trialMeaning(
  { hook_type, mode, on_error, enforce }: MeantHook,
  decision: HookDecision,
  isChanged: boolean,
): string {
  if (isObserver(hook_type)) {
    const wait =
      mode === "sync" ? "The run would wait for it, and end as it had to." : "No run waits for it.";
    return decision.type === "failed" ? `The failure would be recorded. ${wait}` : wait;
  }
  const gate = hook_type as Gate;
  if (mode === "async") return `The run would not wait for it. ${UNCHANGED[gate]}`;
  if (enforce === false) return `It is not enforced, so this would only be recorded. ${UNCHANGED[gate]}`;
  switch (decision.type) {
    case "continue":
      return isChanged ? CHANGED[gate] : UNCHANGED[gate];
    case "block":
      return capitalised(REFUSED[gate]);
    case "ask":
      return "A person would be asked, and the run would wait for the decision.";
    case "failed":
      if (!decision.blocks) return `Its on_error is continue. ${UNCHANGED[gate]}`;
      return on_error === "block"
        ? `Its on_error is block: ${REFUSED[gate]}`
        : `Its agent does not take the input, so on_error does not apply: ${REFUSED[gate]}`;
  }
}

function capitalised(sentence: string): string {
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}
