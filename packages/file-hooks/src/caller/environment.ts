import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** The environment that hooks inherit from: that of this process, or another one that the host gives. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The temporary folders that were made, by the environment that they were made for and by what each stands for. */
const made = new Map<Environment, Map<string, string>>();

/**
 * The temporary folder that stands for one which cannot be written. It exists until `removeTemporary`, at the latest until this process
 * exits. Throws when it cannot be made.
 */
export function temporaryFor(folder: string, prefix: string, env: Environment): string {
  const folders = made.get(env) ?? new Map<string, string>();
  const known = folders.get(folder);
  if (known !== undefined) return known;
  const temporary = mkdtempSync(join(temporaryBase(env), prefix));
  if (made.size === 0) process.once("exit", removeAll);
  made.set(env, folders.set(folder, temporary));
  return temporary;
}

/** Removes the temporary folders of a call that has ended. */
export function removeTemporary(env: Environment): void {
  const folders = made.get(env);
  if (folders === undefined) return;
  made.delete(env);
  if (made.size === 0) process.removeListener("exit", removeAll);
  for (const folder of folders.values()) rmSync(folder, { recursive: true, force: true });
}

function removeAll(): void {
  for (const env of [...made.keys()]) removeTemporary(env);
}

/** As `tmpdir()` of a process with this environment. */
function temporaryBase(env: Environment): string {
  if (process.platform === "win32" || env === process.env) return tmpdir();
  const named = env.TMPDIR || env.TMP || env.TEMP || "/tmp";
  return named.length > 1 && named.endsWith("/") ? named.slice(0, -1) : named;
}
