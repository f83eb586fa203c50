import { shortened } from "@tenterhook/internal";
import { MAX_RUNNER_HOOK_NAME, readHookKey } from "@tenterhook/protocol/runs";

/** A hook in use as people call it: `curfew`, or `on_run_start of deploy`. */
export function hookLabel(key: string): string {
  const used = readHookKey(key);
  if (used === undefined) return key;
  return used.source === "inline" ? `${used.name} of ${used.agent}` : used.name;
}

/** The key of a hook on a runner. The coordinator stores long names shortened. */
export function runnerHookKey(name: string): string {
  return `runner:${shortened(name, MAX_RUNNER_HOOK_NAME)}`;
}

/** The key of a hook as `GET /insights` names it; undefined for an inline hook, which is known by its agent and not by its target. */
export function countedHookKey({
  hook,
  kind,
}: {
  readonly hook: string;
  readonly kind: string;
}): string | undefined {
  return kind === "inline" || hook === "" ? undefined : `${kind}:${hook}`;
}
