import type { CataloguedHook } from "@tenterhook/file-hooks";
import type { GoneReason } from "@tenterhook/file-hooks/discover";
import { couldRefuse, type TrustChecker } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { type EventName, eventRow, type HookFile } from "@tenterhook/protocol";

/** Whether a hook may run: the user's own hooks always, a project's hooks in their trusted version. */
export type TrustState = "user" | "trusted" | "untrusted" | "changed" | "unknown";

export function trustState(
  { scope, folder }: Pick<CataloguedHook, "scope" | "folder">,
  checker: TrustChecker,
): TrustState {
  if (scope === "user") return "user";
  const { type } = checker.statusOf(folder);
  return type === "never_trusted" ? "untrusted" : type;
}

/** Why a hook does not run, as what follows its name, and what to do; `undefined` for one that may run. */
export function explainUntrusted(
  name: string,
  state: TrustState,
): { readonly why: string; readonly advice: string } | undefined {
  const review = `Look at it, then run: ${typedCommand()} trust ${name}`;
  switch (state) {
    case "user":
    case "trusted":
      return undefined;
    case "untrusted":
      return { why: "was never trusted, so it does not run", advice: review };
    case "changed":
      return {
        why: "was changed since it was trusted: it does not run, and what it guarded is refused",
        advice: review,
      };
    case "unknown":
      return {
        why: "is not known to be trusted, so it does not run",
        advice: `Run: ${typedCommand()} doctor`,
      };
  }
}

/** What a run does with a hook that may not run as it is now. `blocks`: it refuses the action in the hook's place. */
export interface TrustEffect {
  readonly effect: "blocks" | "left_out";
  readonly why: string;
}

/** The effect of a project's hook that is not trusted as it is now; `undefined` for one that may run. */
export function trustEffect(
  { scope, folder, hook }: Pick<CataloguedHook, "scope" | "folder" | "hook">,
  event: EventName,
  checker: TrustChecker,
): TrustEffect | undefined {
  if (scope === "user") return undefined;
  const status = checker.statusOf(folder);
  switch (status.type) {
    case "trusted":
      return undefined;
    case "never_trusted":
      return { effect: "left_out", why: `untrusted: review it with: ${typedCommand()} trust` };
    case "unknown": {
      const refuses = hook.onError === "block" && eventRow(event).failure.action === "refuse";
      const why = `unknown: what is trusted cannot be read (${status.why}), ${consequence(refuses)}; run: ${typedCommand()} trust`;
      return { effect: refuses ? "blocks" : "left_out", why };
    }
    case "changed": {
      const refuses = couldRefuse(status.trusted.hook, event) && hook.enforce !== false;
      const why = `changed: ${status.why}, ${consequence(refuses)}; review it with: ${typedCommand()} trust`;
      return { effect: refuses ? "blocks" : "left_out", why };
    }
  }
}

function consequence(refuses: boolean): string {
  return refuses ? "so the action is refused" : "so it is skipped";
}

/** What a guard that is gone means, and how to confirm it; or what hooks that are broken mean. */
export function goneSentence(
  { name, events, onError }: Pick<HookFile, "name" | "events" | "onError">,
  { why, command }: GoneReason,
): string {
  const effect =
    onError === "block" ? "what it checked is refused" : "what it checked passes, with a message";
  if (command === undefined)
    return `${name} (${events.join(", ")}) cannot be used: ${why}. Until then, ${effect}`;
  return `the guard ${name} (${events.join(", ")}) is gone: ${why}. Until you restore it, or run ${command}, ${effect}`;
}
