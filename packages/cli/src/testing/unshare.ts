import { spawnSync } from "node:child_process";
import { expect } from "vitest";

export const IS_ROOT = process.getuid?.() === 0;

/** The command that creates a namespace. Without privileges, a user namespace comes first. */
export function unshare(options: readonly string[]): readonly string[] {
  const own = IS_ROOT || options.includes("--user") ? [] : ["--user", "--map-root-user"];
  return ["unshare", ...own, ...options];
}

/** Where a system refuses namespaces, that is what a test finds, and it does not pass for any other reason. */
export function isRefused([program = "", ...args]: readonly string[]): boolean {
  const { status, stderr } = spawnSync(program, [...args, "true"], { encoding: "utf8" });
  if (status === 0) return false;
  expect(stderr).toMatch(/Operation not permitted|No space left on device|Permission denied/);
  console.warn(`Not tested, because this system refuses it: ${[program, ...args].join(" ")}`);
  return true;
}
