import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { EVENT_NAMES, type Finding } from "@tenterhook/protocol";
import type { Locations } from "../discover/locations.ts";
import { FileHooks, type FileHooksOptions } from "./file-hooks.ts";

/** Where a set of file hooks is found, how its hooks run, and what is recorded about them. */
export interface FileHookSetOptions extends FileHooksOptions {
  /** The set that the hooks join. Default: a set of their own. */
  readonly hooks?: Hooks;
  /** Whether every dispatch that called a hook is recorded in the audit trail, `audit.jsonl` in the state folder. Default true. */
  readonly audit?: boolean;
}

/** The hooks in files that concern a working directory, for a framework that runs agents. */
export interface FileHookSet {
  /** The set of hooks. Register hooks in code here too. */
  readonly hooks: Hooks;
  readonly locations: Locations;
  /** What was wrong with files when the set was made; later findings are logged. */
  readonly findings: readonly Finding[];
  /**
   * Ends hooks that still run in the background after five seconds, and waits until the audit trail is written. The hooks are removed from
   * a set that was given; a set of their own still enforces them, because a stream may be read later than the program expects. The
   * small process that ends scripts if this process is killed ends with this process.
   */
  close(): Promise<void>;
}

/**
 * Finds the hooks in files that concern a working directory. User hooks run; project hooks run once they were trusted with
 * `tenterhook trust`, as in the command. A changed file counts from the next event on.
 */
export async function fileHooks(options: FileHookSetOptions = {}): Promise<FileHookSet> {
  const { hooks = createHooks(), audit = true, ...rest } = options;
  const isGiven = options.hooks !== undefined;
  const source = new FileHooks(rest);
  const detach = source.attach(hooks);
  // A framework asks at once which events have hooks.
  for (const event of EVENT_NAMES) await hooks.prepare(event);
  const { findings } = await source.catalogue();
  const { locations } = source;
  const trail = audit ? await openTrail(hooks, locations) : undefined;
  return {
    hooks,
    locations,
    findings,
    async close() {
      if (isGiven) detach();
      await hooks.close();
      await trail?.flush();
      if (isGiven) trail?.unregister();
    },
  };
}

/** The audit trail of the command. It is loaded here, because a process without it need not load it. */
async function openTrail(hooks: Hooks, { state }: Locations) {
  const { auditLog } = await import("@tenterhook/engine/built-in");
  makeFolder(state);
  return auditLog(hooks, { path: join(state, "audit.jsonl") });
}

/** Readable by its owner only. A failure is reported when the trail is written. */
function makeFolder(folder: string): void {
  try {
    // Not with `recursive`: where a folder cannot be created, for example below /proc, Node would never return.
    if (existsSync(folder)) return;
    makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    // Another process may have created it, and the write reports any other problem.
  }
}
