import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { block } from "@tenterhook/protocol";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test, vi } from "vitest";
import { createHooks } from "../hooks.ts";
import type { MatcherLike } from "./matcher.ts";
import { createFiles } from "./real-files.ts";

function repository(): string {
  const folder = temporaryFolder();
  execFileSync("git", ["init", "-q"], { cwd: folder });
  writeFileSync(join(folder, ".gitignore"), "made/\n");
  for (const name of ["made", "src", "dist"]) mkdirSync(join(folder, name));
  return folder;
}

test("a matcher of effects follows links, and asks git what it ignores", async () => {
  const workDir = repository();
  symlinkSync("/etc", join(workDir, "link"));
  const action = async (matcher: MatcherLike, command: string) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("no"), { matcher });
    return (await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command }, workDir }))
      .action;
  };
  const inside = { effect: "delete", path: "project", notPath: "ignored" } as const;
  expect(await action(inside, "rm -r made/x")).toBe("go_on");
  expect(await action(inside, "rm -r src")).toBe("refuse");
  // Git does not ignore it, whatever its name is.
  expect(await action(inside, "rm -r dist")).toBe("refuse");
  expect(await action({ effect: "delete", path: "/etc/**" }, "rm link/passwd")).toBe("refuse");
});

test("a path that does not exist is resolved by its folders", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  symlinkSync(join(folder, "real"), join(folder, "link"));
  symlinkSync("loop", join(folder, "loop"));
  const files = createFiles(folder);
  expect(files.realPath?.(join(folder, "link/a/b"))).toBe(join(folder, "real/a/b"));
  expect(files.realPath?.(join(folder, "loop/a"))).toBe(join(folder, "loop/a"));
  expect(files.isFolder?.(join(folder, "link"))).toBe(true);
  expect([files.isFolder?.(join(folder, "none")), files.exists?.(join(folder, "none"))]).toEqual([
    undefined,
    false,
  ]);
  expect(files.exists?.(join(folder, "loop"))).toBe(true);
});

test("where git cannot say what it ignores, it is not known", () => {
  expect(createFiles(temporaryFolder()).isIgnored?.("/etc/passwd")).toBeUndefined();
  expect(createFiles("/").isIgnored?.("/a\0b")).toBeUndefined();
  expect(createFiles("/nonexistent").isIgnored?.("/nonexistent/a")).toBeUndefined();
  const folder = repository();
  expect(createFiles(folder).isIgnored?.(join(folder, "made"))).toBe(true);
  vi.stubEnv("PATH", "/nonexistent");
  expect(createFiles(folder).isIgnored?.(join(folder, "made"))).toBeUndefined();
  vi.unstubAllEnvs();
});

test("git is asked about each path once, for two seconds and eight processes at most", () => {
  const folder = repository();
  const bin = temporaryFolder();
  writeFileSync(
    join(bin, "git"),
    `#!/bin/sh\necho x >> ${bin}/calls\n[ -e ${bin}/slow ] && exec sleep 30\nexit 0\n`,
    {
      mode: 0o755,
    },
  );
  vi.stubEnv("PATH", `${bin}:${process.env.PATH ?? ""}`);
  const quick = createFiles(folder);
  const paths = Array.from({ length: 20 }, (_, index) => join(folder, String(index)));
  expect(paths.map((path) => quick.isIgnored?.(path)).filter((answer) => answer !== undefined)).toHaveLength(
    8,
  );
  expect(quick.isIgnored?.(join(folder, "0"))).toBe(true);
  writeFileSync(join(bin, "slow"), "");
  const slow = createFiles(folder);
  const started = performance.now();
  expect(paths.map((path) => slow.isIgnored?.(path)).every((answer) => answer === undefined)).toBe(true);
  expect(performance.now() - started).toBeLessThan(4_000);
  vi.unstubAllEnvs();
});

test("git is asked about the folder, not about a repository that the environment names, and starts nothing", () => {
  const folder = repository();
  const evil = join(temporaryFolder(), "ran");
  execFileSync("git", ["config", "core.fsmonitor", `touch ${evil}; false`], { cwd: folder });
  vi.stubEnv("GIT_DIR", "/nonexistent");
  expect(createFiles(folder).isIgnored?.(join(folder, "made"))).toBe(true);
  expect(createFiles("/").exists?.(evil)).toBe(false);
  vi.unstubAllEnvs();
});
