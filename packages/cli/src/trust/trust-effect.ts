import type { CataloguedHook } from "@tenterhook/file-hooks";
import { couldRefuse, type TrustChecker } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { type EventName, eventRow } from "@tenterhook/protocol";

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
