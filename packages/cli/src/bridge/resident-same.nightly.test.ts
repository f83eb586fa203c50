import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { askStatus } from "../daemon/ask-status.ts";
import { CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";

/** One call of the installed command, by whatever answers it. */
type Call = (claude: InstalledClaude) => Promise<Ran>;

/** A guard in Python that must not be passed over, and what a project could plant for it. */
function sandboxWithGuard(): CommandSandbox {
  const sandbox = new CommandSandbox();
  const folder = sandbox.hook("guard", {
    scope: "user",
    fields: ["on_error: block", "matcher: { tool: Shell, pattern: rm }"],
  });
  const lines = ["#!/usr/bin/env python3", "import os, sys", "sys.stdin.read()"];
  const reason = 'sys.stderr.write("not " + os.environ.get("MARK", "here"))';
  sandbox.write(join(folder, "scripts", "run.py"), [...lines, reason, "sys.exit(2)", ""].join("\n"), 0o755);
  const answer = JSON.stringify({ additional_context: "é".repeat(200_000) });
  const talks = { scope: "user", fields: ["matcher: { tool: Shell, pattern: talk }"] } as const;
  sandbox.write(join(sandbox.root, "answer"), answer);
  sandbox.hook("talks", { ...talks, script: `cat '${join(sandbox.root, "answer")}'` });
  return sandbox;
}

/** Sends bytes in place of the payload of a call. */
function send(bytes: (payload: string) => Buffer, before = ""): Call {
  return (claude) => {
    const child = claude.start({}, before);
    child.stdin.end(bytes(claude.payload("rm x")));
    return ended(child);
  };
}

const PLANTED = "PROJECT/planted";
const VARIABLES: Readonly<Record<string, string>> = {
  PYTHONUSERBASE: PLANTED,
  PYTHONHASHSEED: "rubbish",
  HOME: PLANTED,
  NODE_OPTIONS: "--rubbish",
  GLIBC_TUNABLES: "rubbish",
  LC_ALL: "rubbish",
  LC_CTYPE: "rubbish",
  LARGE: "x".repeat(120_000),
  LINES: "a\nexport LD_PRELOAD=x\nexport PATH=x\nexport node=x\n",
  IFS: "x",
  PATH: `${PLANTED}:/usr/bin:/bin`,
  PERL5OPT: "-Mrubbish",
  PERL5LIB: PLANTED,
  PERLIO: ":crlf",
  PERL_UNICODE: "SDA",
  resident_folder: PLANTED,
  XDG_RUNTIME_DIR: PLANTED,
  XDG_STATE_HOME: PLANTED,
  TENTERHOOK_SET_ASIDE_PATH: PLANTED,
};

function withVariables(variables: Readonly<Record<string, string>>): Call {
  return (claude) => {
    const values = Object.entries(variables).map(([name, value]) => [
      name,
      value.replace("PROJECT", claude.sandbox.project),
    ]);
    return claude.call("rm x", Object.fromEntries(values));
  };
}

/** In this order: the last ones damage what the others need. */
const CALLS: Readonly<Record<string, Call>> = {
  "a call that is refused": (claude) => claude.call("rm x", { MARK: "é\n'\"\\" }),
  "a call that no hook concerns": (claude) => claude.call("ls"),
  "a long answer": (claude) => claude.call("talk"),
  ...Object.fromEntries(
    Object.entries(VARIABLES).map(([name, value]) => [
      `the variable ${name}`,
      withVariables({ [name]: value }),
    ]),
  ),
  "all of these variables": withVariables(VARIABLES),
  "thousands of variables": (claude) =>
    claude.call("rm x", Object.fromEntries(Array.from({ length: 3_000 }, (_, at) => [`MANY_${at}`, "x"]))),
  "no payload": send(() => Buffer.alloc(0)),
  "a payload that is not JSON": send(() => Buffer.from("rubbish")),
  "half a payload": send((text) => Buffer.from(text.slice(0, text.length / 2))),
  "a payload with NUL bytes": send((text) => Buffer.from(text.replace("rm x", "rm \0 x"))),
  "a byte order mark": send((text) => Buffer.from(`\ufeff${text}`)),
  "a payload in UTF-16": send((text) => Buffer.from(`\ufeff${text}`, "utf16le")),
  "half a character": send((text) => Buffer.from(text.replace("rm x", "rm \\ud83d x"))),
  "a payload that is not UTF-8": send((text) => Buffer.from(text.replace("rm x", "rm \xff\xfe"), "latin1")),
  "a deep payload": send((text) =>
    Buffer.from(text.replace('"rm x"', `${"[".repeat(5_000)}${"]".repeat(5_000)}`)),
  ),
  "a payload of 8 MiB": (claude) => claude.call(`rm ${"x".repeat(8 * 1024 * 1024)}`),
  "a payload that is too long": (claude) => claude.call(`rm ${"x".repeat(33 * 1024 * 1024)}`),
  "a closed standard input": send((text) => Buffer.from(text), "exec <&-; "),
  "a closed standard output": send((text) => Buffer.from(text), "exec >&-; "),
  "a closed standard error": send((text) => Buffer.from(text), "exec 2>&-; "),
  "a folder that is gone": (claude) => {
    const folder = join(claude.sandbox.root, "gone");
    mkdirSync(folder);
    return claude.call("rm x", {}, `cd '${folder}' && rmdir "$PWD"; `);
  },
  "a damaged hooks.toml": (claude) => {
    // Appended: the setting of the resident process stays.
    writeFileSync(join(claude.sandbox.userHooks, "hooks.toml"), "[hooks.guard]\nenabled = 3\n", {
      flag: "a",
    });
    return claude.call("rm x");
  },
  "a damaged trust.json": (claude) => {
    writeFileSync(join(claude.sandbox.state, "trust.json"), "rubbish");
    return claude.call("rm x");
  },
  "a guard whose script is gone": (claude) => {
    rmSync(join(claude.sandbox.userHooks, "guard", "scripts"), { recursive: true });
    return claude.call("rm x");
  },
  "a guard that is gone": (claude) => {
    rmSync(join(claude.sandbox.userHooks, "guard"), { recursive: true });
    return claude.call("rm x");
  },
  "a folder of sessions that is a file": (claude) => {
    const folder = join(claude.sandbox.state, "bridge", "sessions");
    rmSync(folder, { recursive: true, force: true });
    writeFileSync(folder, "");
    return claude.call("rm x");
  },
  "a missing part of the bridge": (claude) => {
    rmSync(join(claude.bundle, "answer-by-hooks.js"));
    return claude.call("rm x");
  },
  "a missing bridge": (claude) => {
    rmSync(claude.bundle, { recursive: true });
    return claude.call("rm x");
  },
};

describe.runIf(process.platform === "linux")("an installation with a resident process", () => {
  test("answers every call as one without does, byte for byte", async () => {
    const plain = sandboxWithGuard();
    const cold = await InstalledClaude.install(plain);
    const resident = await ResidentClaude.start(sandboxWithGuard());
    await cold.call("first");
    let calls = 0;
    for (const [name, call] of Object.entries(CALLS)) {
      const [expected, answer] = await Promise.all([call(cold), call(resident.claude)]);
      expect([name, format(answer, resident.claude)]).toEqual([name, format(expected, cold)]);
      const status = await askStatus(resident.files);
      if (status.type === "running") calls = status.calls;
    }
    expect(calls).toBeGreaterThan(Object.keys(CALLS).length / 2);
  });
});

/** A result without the names of the sandbox's folders, and without what the shell says of the lines of its script. */
function format({ code, stdout, stderr }: Ran, { sandbox }: InstalledClaude): Ran {
  const withoutRoot = (text: string) =>
    text.replaceAll(sandbox.root, "ROOT").replaceAll(/^ROOT\S+\/hook: .*\n/gm, "");
  return { code, stdout: withoutRoot(stdout), stderr: withoutRoot(stderr) };
}
