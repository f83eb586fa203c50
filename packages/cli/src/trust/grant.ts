import { formatFinding } from "@tenterhook/file-hooks";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { findEntryPoint } from "@tenterhook/file-hooks/run";
import { hashFolder, type TrustStore } from "@tenterhook/file-hooks/trust";
import { messageOf } from "@tenterhook/internal";
import { readSmallText } from "@tenterhook/internal/files";
import { type HookFile, TenterhookError } from "@tenterhook/protocol";
import { startHere } from "../check/start-here.ts";
import { notify } from "../terminal.ts";
import type { Candidate } from "./candidates.ts";
import { presentation, quotedText } from "./presentation.ts";

/** A hook or a hooks.toml, as it was shown to the user. */
export interface TrustItem {
  readonly name: string;
  /** What the user reads. */
  readonly text: string;
  /** Trusts exactly what was shown; returns false, with a notice, when it has changed since. */
  trust(): boolean;
}

/** Prepares a hook for review; `undefined`, with a notice, when it cannot be trusted. */
export function showHook(
  { name, folder, before, errors }: Candidate,
  store: TrustStore,
): TrustItem | undefined {
  if (errors.length > 0) {
    for (const finding of errors) notify(formatFinding(finding));
    notify(`${name} cannot be trusted until this is corrected`);
    return undefined;
  }
  try {
    // Hash before reading: a later change is detected when the hook is trusted.
    const hash = hashFolder(folder);
    const { hook } = readHookFile(hookFileIn(folder));
    if (hook === undefined) return undefined;
    const problem = unsafeStart(folder, hook);
    if (problem !== undefined) {
      notify(`${name} cannot be trusted: ${problem}`);
      return undefined;
    }
    return {
      name,
      text: presentation(folder, hook, before),
      trust: () => trustHook(folder, hook, hash, store),
    };
  } catch (error) {
    notify(`${name}: ${messageOf(error)}`);
    return undefined;
  }
}

/** Why the interpreter of a hook's script is unsafe. */
function unsafeStart(folder: string, hook: HookFile): string | undefined {
  const entry = hook.action === undefined ? findEntryPoint(folder) : "it has no script";
  const start = typeof entry === "string" ? undefined : startHere(entry, folder, hook);
  return start !== undefined && "type" in start && start.type === "unsafe" ? start.why : undefined;
}

function trustHook(folder: string, hook: HookFile, hash: string, store: TrustStore): boolean {
  try {
    store.trust(folder, hook, { expected: hash });
    return true;
  } catch (error) {
    const isChanged = TenterhookError.isInstance(error) && error.code === "hook_tampered";
    notify(
      isChanged
        ? `${hook.name} was changed while you reviewed it, so it was not trusted; run this again`
        : `${hook.name}: ${messageOf(error)}`,
    );
    return false;
  }
}

/** Prepares a project's hooks.toml for review; `undefined` when its current version is trusted. */
export function showToml(file: string, store: TrustStore): TrustItem | undefined {
  const read = readSmallText(file);
  if (read !== undefined && "problem" in read) {
    notify(`hooks.toml cannot be trusted: ${read.problem}`);
    return undefined;
  }
  const text = read?.text;
  if (text === store.toml(file)) return undefined;
  const shown =
    text === undefined ? "  It was deleted; trusting this makes it count as empty." : quotedText(text);
  return {
    name: "hooks.toml",
    text: `hooks.toml enables, disables and overrides this project's hooks:\n${shown}`,
    trust: () => {
      const now = readSmallText(file);
      if (now === undefined ? text !== undefined : !("text" in now) || now.text !== text) {
        notify("hooks.toml was changed while you reviewed it, so it was not trusted; run this again");
        return false;
      }
      store.trustToml(file, text);
      return true;
    },
  };
}
