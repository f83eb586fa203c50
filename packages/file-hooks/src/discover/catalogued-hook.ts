import type { Signature } from "@tenterhook/internal/files";
import type { HookFile } from "@tenterhook/protocol";
import { mayDecide } from "@tenterhook/protocol/internal";
import type { HookScope } from "./locations.ts";

/** A hook that was found, and whether it is active. */
export interface CataloguedHook {
  readonly scope: HookScope;
  readonly folder: string;
  readonly file: string;
  /** What counts: a trusted project hook as it was trusted, any other as it is now. */
  readonly hook: HookFile;
  /** Project hooks only: whether it was ever trusted. Whether it is unchanged since is checked when it runs. */
  readonly isTrusted: boolean;
  /** Project hooks only: what is trusted cannot be read, so it is not called, and its `on_error` decides. */
  readonly isTrustUnknown?: true;
  /** Why it is not called, if it is not. */
  readonly inactive?: "shadowed" | "overridden" | "duplicate" | "disabled";
  /** It stands for a hook that cannot be called, such as a known guard that no longer exists: its `on_error` decides. */
  readonly gone?: GoneReason;
}

/** Why a hook cannot be called. */
export interface GoneReason {
  readonly why: string;
  /** How a person confirms that a known guard is gone. Without it the hook is broken: only its files can be repaired. */
  readonly command?: string;
}

/** What the catalogue reads of the trust store. */
export interface TrustSource {
  readonly signature: Signature | undefined;
  readonly path: string;
  /** Why it is not known what is trusted, if it is not. */
  readonly problem: string | undefined;
  /** The trusted hooks that concern a folder, as they were trusted, whether or not they still exist. */
  covering(cwd: string): readonly { readonly folder: string; readonly hook: HookFile }[];
  /** A project's hooks.toml as it was trusted. */
  toml(file: string): string | undefined;
}

/** Whether a hook may refuse: it is waited for and enforced, and it is the user's or was trusted, or may have been and must block. */
export function isInForce({ hook, scope, isTrusted, isTrustUnknown }: CataloguedHook): boolean {
  if (!mayDecide(hook)) return false;
  return scope === "user" || isTrusted || (isTrustUnknown === true && hook.onError === "block");
}

/** Whether a hook must block when it cannot be asked. */
export function mustBlock(each: CataloguedHook): boolean {
  return isInForce(each) && each.hook.onError === "block";
}

/** What decides about a hook that cannot be called. */
type FailingHook = Pick<HookFile, "name" | "events" | "onError" | "matcher">;

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
