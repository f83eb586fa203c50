import type { HookFile } from "@tenterhook/protocol";
import type { CataloguedHook, GoneReason } from "./catalogued-hook.ts";

/** What decides about a hook that cannot be called. */
export type FailingHook = Pick<HookFile, "name" | "events" | "onError" | "matcher">;

/** A hook that fails at its events, in place of one that cannot be called: its `on_error` decides. */
export function failingHook(
  { name, events, onError, matcher }: FailingHook,
  place: Pick<CataloguedHook, "scope" | "folder" | "file" | "isTrusted" | "isTrustUnknown">,
  gone: GoneReason,
): CataloguedHook {
  const hook: HookFile = {
    name,
    description: "",
    trigger: events[0] ?? "",
    events,
    ...(matcher !== undefined && { matcher }),
    timeoutMs: 30_000,
    mode: "sync",
    priority: 100,
    onError,
    always: false,
    rejudge: true,
    metadata: {},
  };
  return { ...place, hook, gone };
}
