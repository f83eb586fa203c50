import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CommandSandbox, type Ran } from "../testing/command-sandbox.ts";
import { InstalledClaude } from "../testing/installed-claude.ts";

/** One way to break an installation, and what becomes of a call that the guard would refuse. */
interface Way {
  readonly name: string;
  readonly break: (claude: BreakableClaude) => void;
  /** Variables of the client, and commands before the installed one. */
  readonly env?: Readonly<Record<string, string>>;
  readonly before?: string;
  /**
   * `checked`: the guard refuses it all the same. `on_error`: with `block` it is refused, with `continue` it passes with a message in the
   * client. `refused`: it is refused in both cases, because which guards exist is unknown.
   */
  readonly decision: "checked" | "on_error" | "refused";
}

/** An installation whose pinned node is a file of the sandbox. */
class BreakableClaude {
  readonly claude: InstalledClaude;
  readonly node: string;
  readonly state: string;

  constructor(claude: InstalledClaude, node: string) {
    this.claude = claude;
    this.node = node;
    this.state = join(claude.sandbox.home, ".local", "state", "tenterhook");
  }

  /** Puts a shell script in the place of node. */
  fakeNode(script: string): void {
    this.replace(this.node, `#!/bin/sh\n${script}\n`, 0o755);
  }

  replace(path: string, content: string | Buffer, mode = 0o644): void {
    rmSync(path, { recursive: true, force: true });
    writeFileSync(path, content, { mode });
  }

  /** A file of the bridge, by its name. */
  file(name: string): string {
    const path = join(this.claude.bundle, name);
    if (!existsSync(path)) throw new Error(`the bridge has no ${name}`);
    return path;
  }

  /** Every script of the bridge but the first. */
  get parts(): readonly string[] {
    const { bundle } = this.claude;
    const names = readdirSync(bundle).filter((name) => name.endsWith(".js") && name !== "bridge.js");
    return names.map((name) => join(bundle, name));
  }
}

/** The first bytes of a program, for a processor of 1978. */
const HEADER = "7f454c4602010100000000000000000003000000010000000000000000000000";

const ends = (name: string, script: string): Way => ({
  name: `node ${name}`,
  break: (home) => home.fakeNode(script),
  decision: "on_error",
});

const bridgeJs = (name: string, text: string): Way => ({
  name: `bridge.js ${name}`,
  break: (home) => home.replace(home.file("bridge.js"), text),
  decision: "on_error",
});

const WAYS: readonly Way[] = [
  { name: "node is gone", break: ({ node }) => rmSync(node), decision: "on_error" },
  {
    name: "node cannot be executed",
    break: (home) => home.replace(home.node, "#!/bin/sh\n"),
    decision: "on_error",
  },
  {
    name: "node is a folder",
    break: ({ node }) => {
      rmSync(node);
      mkdirSync(node);
    },
    decision: "on_error",
  },
  {
    name: "node is an empty file",
    break: (home) => home.replace(home.node, "", 0o755),
    decision: "on_error",
  },
  {
    name: "node is cut off in the middle",
    break: (home) => home.replace(home.node, readFileSync(process.execPath).subarray(0, 100_000), 0o755),
    decision: "on_error",
  },
  {
    name: "node is a program for another processor",
    break: (home) => home.replace(home.node, Buffer.from(HEADER, "hex"), 0o755),
    decision: "on_error",
  },
  {
    name: "node is a link to nothing",
    break: ({ node }) => {
      rmSync(node);
      symlinkSync("/nonexistent/node", node);
    },
    decision: "on_error",
  },
  {
    name: "node is a link to itself",
    break: ({ node }) => {
      rmSync(node);
      symlinkSync(node, node);
    },
    decision: "on_error",
  },
  {
    name: "node's interpreter is gone",
    break: (home) => home.replace(home.node, "#!/nonexistent/interpreter\n", 0o755),
    decision: "on_error",
  },
  ends("ends with 0 and prints nothing", "exit 0"),
  ends("ends with 1", "exit 1"),
  ends("ends with 2 and prints nothing", "exit 2"),
  ends("ends with 9, as with an option that it does not know", `exec '${process.execPath}' --no-such-option`),
  ends("lacks a library (127)", "echo 'error while loading shared libraries: libstdc++.so.6' >&2; exit 127"),
  ends("has the wrong format (126)", "exit 126"),
  ends("is out of memory (133)", "kill -TRAP $$"),
  ends("aborts (134)", "kill -ABRT $$"),
  ends("is killed (137)", "kill -KILL $$"),
  ends("has a bus error", "kill -BUS $$"),
  ends("has a segmentation fault (139)", "kill -SEGV $$"),
  ends("is terminated (143)", "kill -TERM $$"),
  ends("really cannot get memory", `ulimit -v 300000; exec '${process.execPath}' "$@"`),
  ends("is too old to know what the bridge uses", 'echo "SyntaxError: Unexpected token" >&2; exit 1'),
  ends("prints half of an answer and is killed", `printf '{"hookSpecificOutput":{"hook'; kill -KILL $$`),
  ends("prints a whole answer and crashes", `printf '{"systemMessage":"fine"}\\n'; kill -SEGV $$`),
  ends("prints what allows the call, and ends with 0", `echo '{"decision":"approve"}'; exit 0`),
  ends("reads nothing and ends with 0", "exec <&-; exit 0"),
  {
    name: "the bridge's folder is gone",
    break: ({ claude }) => rmSync(claude.bundle, { recursive: true }),
    decision: "on_error",
  },
  { name: "bridge.js is gone", break: (home) => rmSync(home.file("bridge.js")), decision: "on_error" },
  bridgeJs("is empty", ""),
  bridgeJs("is no JavaScript", "\0\0\0 <<<<<<< HEAD"),
  bridgeJs("throws", "throw new Error('damaged');"),
  bridgeJs("ends with 0", "process.exit(0);"),
  bridgeJs("ends with 2", "process.exit(2);"),
  bridgeJs("aborts", "process.abort();"),
  bridgeJs("waits for what never comes", "(async () => { await new Promise(() => {}); })();"),
  bridgeJs("rejects", "Promise.reject(new Error('damaged'));"),
  bridgeJs("loads a missing file", "require('./no-such-part.js');"),
  {
    name: "bridge.js is cut off in the middle",
    break: (home) => {
      const path = home.file("bridge.js");
      truncateSync(path, Math.floor(readFileSync(path).length / 2));
    },
    decision: "on_error",
  },
  {
    name: "bridge.js is a folder",
    break: (home) => {
      const path = home.file("bridge.js");
      rmSync(path);
      mkdirSync(path);
    },
    decision: "on_error",
  },
  {
    name: "bridge.js is a pipe",
    break: (home) => {
      const path = home.file("bridge.js");
      rmSync(path);
      execFileSync("mkfifo", [path]);
    },
    decision: "on_error",
  },
  {
    name: "all other files of the bridge are gone",
    break: (home) => {
      for (const path of home.parts) rmSync(path);
    },
    decision: "on_error",
  },
  {
    name: "all other files of the bridge are empty",
    break: (home) => {
      for (const path of home.parts) truncateSync(path);
    },
    decision: "on_error",
  },
  {
    name: "all other files of the bridge are cut off",
    break: (home) => {
      for (const path of home.parts) truncateSync(path, Math.floor(readFileSync(path).length * 0.7));
    },
    decision: "on_error",
  },
  {
    name: "the description of the client is gone",
    break: (home) => rmSync(home.file("claude.js")),
    decision: "on_error",
  },
  {
    name: "the description of the client is that of none",
    break: (home) => home.replace(home.file("claude.js"), ""),
    decision: "on_error",
  },
  {
    name: "the bridge's package.json says that its files are modules",
    break: (home) => home.replace(home.file("package.json"), '{ "type": "module" }'),
    decision: "on_error",
  },
  {
    name: "the list of guards is gone too",
    break: (home) => {
      rmSync(home.node);
      rmSync(join(home.state, "bridge", "guards"));
    },
    decision: "refused",
  },
  {
    name: "the list of guards is a folder, and node is gone",
    break: (home) => {
      rmSync(home.node);
      rmSync(join(home.state, "bridge", "guards"));
      mkdirSync(join(home.state, "bridge", "guards"));
    },
    decision: "refused",
  },
  {
    name: "the list of guards is empty, and node is gone",
    break: (home) => {
      rmSync(home.node);
      writeFileSync(join(home.state, "bridge", "guards"), "");
    },
    decision: "refused",
  },
  {
    name: "the list of guards lost its end, and node is gone",
    break: (home) => {
      rmSync(home.node);
      writeFileSync(join(home.state, "bridge", "guards"), "after_tool\t*\tother\n");
    },
    decision: "refused",
  },
  {
    name: "the list of guards was never written to the disk, and node is gone",
    break: (home) => {
      rmSync(home.node);
      writeFileSync(join(home.state, "bridge", "guards"), Buffer.alloc(200));
    },
    decision: "refused",
  },
  {
    name: "the whole state and node are gone",
    break: (home) => {
      rmSync(home.node);
      rmSync(home.state, { recursive: true });
    },
    decision: "refused",
  },
  {
    name: "the state is gone",
    break: ({ state }) => rmSync(state, { recursive: true }),
    decision: "checked",
  },
  {
    name: "the state is a file",
    break: (home) => home.replace(home.state, "x"),
    decision: "checked",
  },
  {
    name: "every file of the state is garbage",
    break: ({ state }) => damage(state, "\0{[garbage"),
    decision: "checked",
  },
  {
    name: "every file of the state is empty",
    break: ({ state }) => damage(state, ""),
    decision: "checked",
  },
  {
    name: "every file of the cache is garbage",
    break: ({ claude }) => damage(join(claude.sandbox.home, ".cache"), "\0{[garbage"),
    decision: "checked",
  },
  {
    name: "the cache is a file",
    break: (home) => home.replace(join(home.claude.sandbox.home, ".cache"), "x"),
    decision: "checked",
  },
  { name: "no file can be written", break: () => undefined, before: "ulimit -f 0; ", decision: "checked" },
  { name: "few files can be open", break: () => undefined, before: "ulimit -n 12; ", decision: "on_error" },
  {
    name: "the client's PATH is empty, and TMPDIR is gone",
    break: () => undefined,
    env: { PATH: "", TMPDIR: "/nonexistent" },
    decision: "checked",
  },
  {
    name: "the client runs in a folder that is gone",
    break: () => undefined,
    before: 'mkdir gone && cd gone && rmdir "$PWD"; ',
    decision: "checked",
  },
];

/** Replaces the content of every file below a folder. */
function damage(folder: string, text: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) writeFileSync(join(entry.parentPath, entry.name), text);
}

/** By a process of its own, as all that writes programs here: one that this process has written may be open in a child of another thread. */
function copy(from: string, to: string): void {
  execFileSync("cp", ["-a", from, to]);
}

/** Installs with a copy of node that can be broken, and a guard that has checked one call. */
async function installed(onError: "block" | "continue"): Promise<BreakableClaude> {
  const sandbox = new CommandSandbox();
  sandbox.hook("guard", {
    scope: "user",
    fields: [`on_error: ${onError}`],
    script: "case $(cat) in *FORBIDDEN*) echo not here >&2; exit 2 ;; esac",
  });
  const claude = await InstalledClaude.install(sandbox);
  const node = join(sandbox.root, "bin", "node");
  mkdirSync(dirname(node));
  symlinkSync(process.execPath, node);
  const hook = join(claude.folder, "hook");
  execFileSync("sed", ["-i", `s#^node=.*#node='${node}'#`, hook]);
  expect(await claude.call("ls")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  return new BreakableClaude(claude, node);
}

/** What the client does with the answer, and what its person sees. */
function outcome({ code, stdout, stderr }: Ran): "refused" | "passed with a message" | "passed silently" {
  const answer = stdout === "" ? {} : JSON.parse(stdout);
  if (answer.hookSpecificOutput?.permissionDecision === "deny" && code === 2 && stderr !== "")
    return "refused";
  return code === 0 && typeof answer.systemMessage === "string" ? "passed with a message" : "passed silently";
}

const EXPECTED = {
  block: { checked: "refused", on_error: "refused", refused: "refused" },
  continue: { checked: "refused", on_error: "passed with a message", refused: "refused" },
} as const;

describe.each(["block", "continue"] as const)(
  "a broken installation, and a guard with on_error: %s",
  (onError) => {
    test(`never lets a call pass silently, in ${WAYS.length} ways to break it`, async () => {
      const home = await installed(onError);
      const { sandbox } = home.claude;
      const whole = join(sandbox.root, "whole");
      copy(sandbox.home, whole);
      const found: string[] = [];
      const expected: string[] = [];
      for (const way of WAYS) {
        rmSync(home.node, { recursive: true, force: true });
        symlinkSync(process.execPath, home.node);
        way.break(home);
        const ran = await home.claude.call("FORBIDDEN", way.env, way.before);
        found.push(`${way.name}: ${outcome(ran)}`);
        expected.push(`${way.name}: ${EXPECTED[onError][way.decision]}`);
        rmSync(sandbox.home, { recursive: true });
        copy(whole, sandbox.home);
      }
      expect(found).toEqual(expected);
    });
  },
);
