import { join } from "node:path";
import {
  findEntryPoint,
  formatFinding,
  hashFolder,
  readSmallText,
  type TrustStore,
} from "@tenterhook/file-hooks";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { type HookFile, messageOf, TenterhookError } from "@tenterhook/protocol";
import { startHere } from "../check/start-here.ts";
import { notify } from "../terminal.ts";
import type { Candidate } from "./candidates.ts";
import { presentation, quotedText } from "./presentation.ts";

/** Something that can be trusted, as a person was shown it. */
export interface TrustItem {
  readonly name: string;
  /** For the person to read. */
  readonly text: string;
  /** Trusts exactly what was shown; false, and said, when it has changed since. */
  trust(): boolean;
}

/** Prepares a hook for showing; `undefined`, and said why, when it cannot be trusted as it is. */
export function showHook(
  { name, folder, before, errors }: Candidate,
  store: TrustStore,
): TrustItem | undefined {
  if (errors.length > 0) {
    for (const finding of errors) notify(formatFinding(finding));
    notify(`${name} cannot be trusted before this is corrected`);
    return undefined;
  }
  try {
    // Hashed before it is read: what changes after this moment is noticed when it is trusted.
    const hash = hashFolder(folder);
    const { hook } = readHookFile(join(folder, "HOOK.md"));
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

/** Why the program that would run a hook's script cannot be trusted with it. */
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
        ? `${hook.name} was changed while you looked at it, so it was not trusted; run this again`
        : `${hook.name}: ${messageOf(error)}`,
    );
    return false;
  }
}

/** Prepares a project's hooks.toml for showing; `undefined` when the one that counts is the one that is there. */
export function showToml(file: string, store: TrustStore): TrustItem | undefined {
  const read = readSmallText(file);
  if (read !== undefined && "problem" in read) {
    notify(`hooks.toml cannot be trusted: ${read.problem}`);
    return undefined;
  }
  const text = read?.text;
  if (text === store.toml(file)) return undefined;
  const shown =
    text === undefined ? "  It is gone; trusting that makes it count as empty." : quotedText(text);
  return {
    name: "hooks.toml",
    text: `hooks.toml enables, disables and overrides this project's hooks:\n${shown}`,
    trust: () => {
      const now = readSmallText(file);
      if (now === undefined ? text !== undefined : !("text" in now) || now.text !== text) {
        notify("hooks.toml was changed while you looked at it, so it was not trusted; run this again");
        return false;
      }
      store.trustToml(file, text);
      return true;
    },
  };
}
