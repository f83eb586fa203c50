import type { KnownRunEvent } from "@tenterhook/protocol/runs";
import type { HookAct, Outcome } from "./timeline-row.ts";

/** What a `hook_acted` event says. */
export function hookAct(acted: KnownRunEvent<"hook_acted">): HookAct {
  const { hook, event, action, reason, changed = [], failed = false } = acted;
  return { hook, event, action, reason, changed, failed };
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
