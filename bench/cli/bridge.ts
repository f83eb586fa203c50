import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Contender, measure, type Row } from "../measure.ts";

const BIN = fileURLToPath(new URL("../../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
/** The start of a single process varies by a tenth, so a round is several. */
const STARTS = 5;
const ROUNDS = 20;
/** docs/decisions/2026-11-16-public-interfaces.md says what these allow for. */
const MAX_QUIET = 1.5;
/** Of a Node program that only starts the script. */
const MAX_ASKED = 2;
/** The shell that the installed command goes through, and what it sets, on top of the bridge. */
const MAX_INSTALLED = 1.6;

/** What a tool call of a coding agent waits for: against starting Node, and against the bare script of a hook. */
export async function bridgeCalls(): Promise<Row[]> {
  const home = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  try {
    const script = guard(home);
    const payload = (command: string, id: number) =>
      JSON.stringify({
        session_id: "bench",
        cwd: home,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
        tool_use_id: `call-${id}`,
      });
    const env = { PATH: process.env.PATH ?? "", HOME: home, CLAUDE_CODE_SESSION_ID: "bench" };
    let calls = 0;
    const bridge = (command: string) => () =>
      run(process.execPath, [BIN, "bridge", "--client", "claude", "--event", "PreToolUse"], {
        env,
        cwd: home,
        input: payload(command, ++calls),
      });
    const quiet = bridge("ls");
    const asked = bridge("deploy");
    const command = await installed(home, env);
    const throughShell = () =>
      run("/bin/sh", ["-c", command], { env, cwd: home, input: payload("ls", ++calls) });
    // The first calls store a plan.
    for (let nth = 0; nth < 5; nth++) for (const call of [quiet, asked, throughShell]) await call();
    const input = payload("deploy", 0);
    const bare = starter(home, script);
    const best = await measure(
      {
        node: repeated(() => run(process.execPath, ["-e", "0"], { env, cwd: home, input: "" })),
        script: repeated(() => run(script, [], { env, cwd: home, input })),
        bare: repeated(() => run(process.execPath, [bare], { env, cwd: home, input })),
        shell: repeated(() =>
          run("/bin/sh", ["-c", `exec '${process.execPath}' -e 0`], { env, cwd: home, input: "" }),
        ),
        quiet: repeated(quiet),
        asked: repeated(asked),
        throughShell: repeated(throughShell),
      },
      { times: STARTS, rounds: ROUNDS },
    );
    return [
      {
        what: "tenterhook bridge, no matching hook",
        against: "node -e 0",
        ours: best.quiet,
        theirs: best.node,
        bar: { most: MAX_QUIET },
      },
      {
        what: "the installed command, no matching hook",
        against: "node -e 0, from a shell",
        ours: best.throughShell,
        theirs: best.shell,
        bar: { most: MAX_INSTALLED },
      },
      {
        what: "tenterhook bridge, one shell hook",
        against: "a Node program that only starts its script",
        ours: best.asked,
        theirs: best.bare,
        bar: { most: MAX_ASKED },
      },
      {
        what: "tenterhook bridge, one shell hook",
        against: "node -e 0, and the bare script",
        ours: best.asked,
        theirs: best.node + best.script,
      },
    ];
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function repeated(start: () => Promise<void>): Contender {
  return async (times) => {
    for (let nth = 0; nth < times; nth++) await start();
  };
}

/** Installs the bridge in Claude Code, and returns the command that its settings have then. */
async function installed(home: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { CLAUDE_CODE_SESSION_ID: _, ...outside } = env;
  await run(process.execPath, [BIN, "install", "claude", "--yes"], { env: outside, cwd: home, input: "" });
  const settings = JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8"));
  return settings.hooks.PreToolUse[0].hooks[0].command;
}

/** Writes a hook that is asked about one command only, and returns its script. */
function guard(home: string): string {
  const folder = join(home, ".config", "agents", "hooks", "guard");
  mkdirSync(join(folder, "scripts"), { recursive: true });
  const frontmatter = "name: guard\ndescription: For measuring\ntrigger: before_tool";
  writeFileSync(
    join(folder, "HOOK.md"),
    `---\n${frontmatter}\nmatcher: { tool: Shell, pattern: deploy }\n---\n`,
  );
  const script = join(folder, "scripts", "run.sh");
  writeFileSync(script, "#!/bin/sh\ncat >/dev/null\nexit 0\n", { mode: 0o755 });
  return script;
}

/** Writes the least that a program in Node must do: start the script with pipes, and end as it did. */
function starter(home: string, script: string): string {
  const path = join(home, "starter.cjs");
  const lines = [
    `const child = require("node:child_process").spawn(${JSON.stringify(script)}, { detached: true });`,
    'child.stdin.end("{}");',
    'child.once("close", (code) => process.exit(code));',
  ];
  writeFileSync(path, lines.join("\n"));
  return path;
}

interface RunOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly input: string;
}

function run(command: string, args: readonly string[], { env, cwd, input }: RunOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env, cwd, stdio: ["pipe", "ignore", "inherit"] });
    child.once("error", reject);
    child.once("exit", (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    );
    child.stdin.on("error", () => undefined);
    child.stdin.end(input);
  });
}
