import { existsSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileLocation } from "@tenterhook/bridges/install";
import { installationFor } from "@tenterhook/bridges/install";
import { makeFolders } from "@tenterhook/file-hooks";
import { shownPath } from "../shown-hook.ts";
import { green } from "../terminal.ts";
import { GUARD_HOOK_MD, GUARD_NAME, guardScript } from "./self-guard-text.ts";

export interface GuardPlan {
  readonly folder: string;
  readonly isNew: boolean;
  readonly question: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The plan of a hook that refuses agents' changes to hooks, trust, cache and the clients' own files. */
export function guardPlan({ env }: FileLocation): GuardPlan {
  const installation = installationFor(process.cwd(), env);
  const { userHooks, state, cache } = installation.locations;
  const folder = join(userHooks, GUARD_NAME);
  return {
    folder,
    isNew: !existsSync(join(folder, "HOOK.md")),
    question: `Also keep agents from changing your hooks, what you trust, and these entries? A hook does that: ${shownPath(folder)}`,
    files: {
      "HOOK.md": GUARD_HOOK_MD,
      "scripts/run.js": guardScript([dirname(userHooks), state, cache, installation.folder]),
      "scripts/package.json": '{ "type": "commonjs" }\n',
    },
  };
}

/** Writes the hook; an existing one may have been edited by the user and is kept. Returns what was done, as a sentence. */
export function writeGuard({ folder, isNew, files }: GuardPlan): string {
  if (!isNew) return `${shownPath(folder)} exists already and is not changed.`;
  for (const [name, text] of Object.entries(files)) {
    makeFolders(dirname(join(folder, name)));
    writeFileSync(join(folder, name), text, { mode: name.endsWith(".js") ? 0o700 : 0o600, flag: "wx" });
  }
  return green(`Written: ${shownPath(folder)}`);
}
