import { messageOf } from "@tenterhook/internal";
import { type EventName, eventRow, type HookFile } from "@tenterhook/protocol";
import { mayDecide } from "@tenterhook/protocol/internal";
import { namedInterpreter } from "../parse/named-interpreter.ts";
import { fingerprintOf } from "./interpreter-fingerprint.ts";
import { KnownHashes } from "./known-hashes.ts";
import type { TrustedHook } from "./trust-file.ts";
import { projectOf, type TrustStore } from "./trust-store.ts";

/** Whether a project's hook may run. */
export type TrustStatus =
  | { readonly type: "trusted"; readonly trusted: TrustedHook }
  | { readonly type: "never_trusted" }
  /** What is trusted cannot be read. */
  | { readonly type: "unknown"; readonly why: string }
  | { readonly type: "changed"; readonly why: string; readonly trusted: TrustedHook };

/** Whether a hook could have refused an action. Observers, stop gates and hooks that are not enforced could not. */
export function couldRefuse(hook: Pick<HookFile, "mode" | "enforce">, event: EventName): boolean {
  return mayDecide(hook) && eventRow(event).guards === true;
}

/** Compares folders with the trust store. */
export class TrustChecker {
  readonly #store: TrustStore;
  readonly #hashes = new KnownHashes();

  constructor(store: TrustStore) {
    this.#store = store;
  }

  statusOf(folder: string): TrustStatus {
    const trusted = this.#store.get(folder);
    if (trusted === undefined) {
      const { problem } = this.#store;
      return problem === undefined ? { type: "never_trusted" } : { type: "unknown", why: problem };
    }
    try {
      const why = this.#whatChanged(folder, trusted);
      return why === undefined ? { type: "trusted", trusted } : { type: "changed", why, trusted };
    } catch (error) {
      return { type: "changed", why: `it can no longer be checked (${messageOf(error)})`, trusted };
    }
  }

  #whatChanged(folder: string, { hash, hook, interpreter: trusted }: TrustedHook): string | undefined {
    if (this.#hashes.of(folder) !== hash) return "it was changed since it was trusted";
    const interpreter = namedInterpreter(hook, folder);
    if (interpreter === undefined || fingerprintOf(interpreter, projectOf(folder)) === trusted)
      return undefined;
    return `its interpreter ${interpreter} was changed since it was trusted`;
  }
}
