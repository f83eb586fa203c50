import { type EventName, messageOf } from "@tenterhook/protocol";
import { folderSignature, hashFolder } from "./folder-hash.ts";
import type { TrustedHook, TrustStore } from "./trust-store.ts";

/** Whether a project's hook may run. */
export type Standing =
  | { readonly type: "trusted" }
  | { readonly type: "never_trusted" }
  | { readonly type: "changed"; readonly why: string; readonly trusted: TrustedHook };

/** Events at which a hook could have kept something from happening, so that disarming it must not let it happen. */
const GUARDED: ReadonlySet<EventName> = new Set([
  "session_start",
  "before_agent",
  "before_step",
  "before_llm",
  "before_tool",
  "subagent_start",
]);

/** Whether the trusted version of a hook could have refused an action. Observers and stop gates could not. */
export function couldRefuse({ hook }: TrustedHook, event: EventName): boolean {
  return hook.mode === "sync" && GUARDED.has(event);
}

/** Judges folders against the trust store, hashing one again only when something in it has changed. */
export class Standings {
  readonly #store: TrustStore;
  readonly #known = new Map<string, { readonly signature: string; readonly hash: string }>();

  constructor(store: TrustStore) {
    this.#store = store;
  }

  of(folder: string): Standing {
    const trusted = this.#store.get(folder);
    if (trusted === undefined) return { type: "never_trusted" };
    try {
      if (this.#hash(folder) === trusted.hash) return { type: "trusted" };
      return { type: "changed", why: "it was changed since it was trusted", trusted };
    } catch (error) {
      return { type: "changed", why: `it can no longer be checked (${messageOf(error)})`, trusted };
    }
  }

  #hash(folder: string): string {
    const signature = folderSignature(folder);
    const known = this.#known.get(folder);
    if (known?.signature === signature) return known.hash;
    const hash = hashFolder(folder);
    // Taken before hashing: a change in between shows next time.
    this.#known.set(folder, { signature, hash });
    return hash;
  }
}
