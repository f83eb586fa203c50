import { type Fields, textField, textsField } from "../event-fields.ts";
import type { HookAct, Outcome } from "./timeline-row.ts";

/** What a `hook_acted` event tells. */
export function hookAct(event: Fields): HookAct {
  return {
    hook: textField(event, "hook") ?? null,
    event: textField(event, "event") ?? "",
    action: textField(event, "action") ?? "",
    reason: textField(event, "reason"),
    changed: textsField(event, "changed"),
    failed: event.failed === true,
  };
}

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  refuse: "blocked",
  hold: "blocked",
  skip: "skipped",
  release: "failed",
  fail: "failed",
  raise: "failed",
  stop: "stopped",
};

/** What a hook on the runner decided, as an outcome: to go on is no news. */
export function outcomeOfAct({ action, failed }: HookAct): Outcome {
  return failed ? "failed" : (OUTCOMES[action] ?? "done");
}

const WORDS: Readonly<Record<string, string>> = {
  go_on: "let it happen",
  refuse: "refused it",
  hold: "did not let the agent stop",
  release: "could not judge, and let the agent stop",
  skip: "put a result in its place",
  recover: "dealt with the error",
  fail: "let the turn fail",
  raise: "raised an error",
  stop: "stopped the run",
  record: "was told",
};

/** The same in words: `refused it: too dangerous`. */
export function wordsOfAct({ action, failed, changed, reason }: HookAct): string {
  const did = failed
    ? "failed"
    : changed.length > 0
      ? `changed ${changed.join(", ")}`
      : (WORDS[action] ?? action);
  return reason === undefined ? did : `${did}: ${reason}`;
}
