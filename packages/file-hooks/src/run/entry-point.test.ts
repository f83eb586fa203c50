import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { findEntryPoint, startFor } from "./script-start.ts";

const root = temporaryFolder();

let number = 0;

function script(name: string, content: string, mode = 0o755): string {
  const folder = join(root, String(number++), "scripts");
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, content, { mode });
  return path;
}

describe("a hook's script", () => {
  test("is the first of those it may have", () => {
    const folder = join(root, "many");
    mkdirSync(join(folder, "scripts"), { recursive: true });
    const found: string[] = [];
    for (const name of ["run.cmd", "run.mjs", "run.js", "run.py", "run.sh", "run"]) {
      writeFileSync(join(folder, "scripts", name), "#!/bin/sh\n", { mode: 0o755 });
      const entry = findEntryPoint(folder);
      found.push(typeof entry === "string" ? entry : entry.script.slice(folder.length + "/scripts/".length));
    }
    expect(found).toEqual(["run.cmd", "run.mjs", "run.js", "run.py", "run.sh", "run"]);
  });

  test.each(["", "\n", " \n\t\r\n"])("cannot be started when its content is %j", (content) => {
    for (const name of ["run", "run.sh", "run.py", "run.mjs"]) {
      const path = script(name, content);
      expect(findEntryPoint(dirname(dirname(path)))).toBe(
        `${path} is empty, so it checks nothing; restore it, or write what it must do`,
      );
    }
  });

  test.each<[string, string, string, number, NodeJS.Platform, readonly string[]]>([
    ["is started directly when it can be", "run.sh", "#!/bin/bash\n", 0o755, "linux", ["SCRIPT"]],
    [
      "is started by the interpreter it names when it is not executable",
      "run.sh",
      "#!/bin/bash -e\n",
      0o644,
      "darwin",
      ["/bin/bash", "-e", "SCRIPT"],
    ],
    [
      "is started by what env would find",
      "run.py",
      "#!/usr/bin/env -S python3 -u\n",
      0o644,
      "linux",
      ["python3", "-u", "SCRIPT"],
    ],
    ["in shell without a #! line is bash's", "run.sh", "echo\n", 0o644, "linux", ["bash", "SCRIPT"]],
    [
      "in Python on Windows is the launcher's",
      "run.py",
      "#!/usr/bin/env python3\n",
      0o644,
      "win32",
      ["py", "-3", "SCRIPT"],
    ],
    ["in JavaScript is this Node's", "run.mjs", "", 0o644, "win32", [process.execPath, "SCRIPT"]],
    [
      "in PowerShell is PowerShell's",
      "run.ps1",
      "",
      0o644,
      "win32",
      ["powershell.exe", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "SCRIPT"],
    ],
    [
      "in PowerShell elsewhere is pwsh's",
      "run.ps1",
      "",
      0o644,
      "linux",
      ["pwsh", "-NoProfile", "-ExecutionPolicy", "Bypass", "-File", "SCRIPT"],
    ],
    ["as a batch file is cmd's", "run.cmd", "", 0o644, "win32", ["cmd.exe", "/d", "/c", "SCRIPT"]],
  ])("%s", (_what, name, content, mode, platform, expected) => {
    const path = script(name, content, mode);
    const entry = startFor(path, platform);
    if (typeof entry === "string") throw new Error(entry);
    expect([entry.command, ...entry.args]).toEqual(expected.map((word) => (word === "SCRIPT" ? path : word)));
  });
});
