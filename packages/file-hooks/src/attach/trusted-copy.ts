import { block, type EventName, type Outcome, TenterhookError } from "@tenterhook/engine";
import { messageOf, typedCommand } from "@tenterhook/internal";
import type { HookFile } from "@tenterhook/protocol";
import type { CataloguedHook } from "../discover/catalogued-hook.ts";
import { couldRefuse, type TrustChecker, type TrustStore, trustUnknown } from "../trust/trust-store.ts";

/**
 * The copy of a project's hook that may run, or the outcome in its place. Throws for a hook that was never trusted, and for one whose trust
 * is unknown.
 */
export function trustedCopy(
  each: CataloguedHook,
  event: EventName,
  { trust, checker }: { readonly trust: TrustStore; readonly checker: TrustChecker },
): Outcome | { readonly type: "trusted"; readonly copy: string } {
  const { hook, folder } = each;
  const status = checker.statusOf(folder);
  switch (status.type) {
    case "trusted":
      try {
        const { hash } = status.trusted;
        return {
          type: "trusted",
          copy: hook.action === undefined ? trust.copies.of(folder, hash) : folder,
        };
      } catch (error) {
        return refuse(each, event, `it can no longer be checked (${messageOf(error)})`);
      }
    case "never_trusted":
      throw new TenterhookError("hook_untrusted", "it was not run: not trusted yet.", {
        hook: hook.name,
        event,
        hint: `Look at ${folder}, then run: ${typedCommand()} trust`,
      });
    case "unknown":
      throw trustUnknown(trust.path, status.why, { hook: hook.name, event });
    case "changed":
      return refuse(status.trusted, event, status.why);
  }
}

/** What happens in place of a hook that must not run as it is now: a guard refuses, any other hook fails. */
function refuse(
  { hook, folder }: { readonly hook: HookFile; readonly folder: string },
  event: EventName,
  why: string,
): Outcome {
  const tampered = new TenterhookError("hook_tampered", `it was not run: ${why}.`, {
    hook: hook.name,
    event,
    hint: `Look at ${folder}, then run: ${typedCommand()} trust (or ${typedCommand()} trust --revoke)`,
  });
  if (couldRefuse(hook, event)) return block(tampered.message);
  throw tampered;
}
