import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onAbort, typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT, type ExitCode } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { bold, type Cell, count, dim, print, printable, table } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

/** The agent and its files, in the bundle. */
const FILES = fileURLToPath(new URL("./demo-refusal/", import.meta.url));

/** One of the ready-made rules. */
const RULE = "safety-delete-whole";
const RULE_FOLDER = fileURLToPath(new URL(`./rules/${RULE}/`, import.meta.url));
/** So much of it is shown. */
const SHOWN_LINES = 8;
const MESSAGE = "The disk is full. Make room.";

export const demo = defineCommand({
  usage: "demo",
  about:
    "Shows an agent whose rm -fr is refused by a ready-made rule: a HOOK.md. The model plays a script, so no API key is needed; the\n" +
    "agent, the rule and the shell are real. It works in a temporary folder, which is its home, without your own hooks, and removes it.",
  options: {},
  examples: [{ command: "tenterhook demo", means: "takes a few seconds" }],
  async run({ json }) {
    const folder = mkdtempSync(join(tmpdir(), "tenterhook-demo-"));
    // Also when a closed pipe ends this process, as in `tenterhook demo | true`.
    process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
    cpSync(join(FILES, "work"), join(folder, "work"), { recursive: true });
    cpSync(RULE_FOLDER, join(folder, "config", "agents", "hooks", RULE), { recursive: true });
    if (!json) print(introduction());
    const code = await runAgent(folder, json);
    if (code !== EXIT.ok) return code;
    const kept = keptFiles(join(folder, "work", "backups"));
    if (!json) print(ending(kept));
    return EXIT.ok;
  },
});

/** Runs `tenterhook run` in the folder, which is its home, with the rule of the demo as the user's only hook. */
function runAgent(folder: string, json: boolean): Promise<ExitCode> {
  const args = ["run", "./agent.json", MESSAGE, ...(json ? ["--json"] : [])];
  const env = {
    ...process.env,
    // What it would lose.
    HOME: folder,
    XDG_CONFIG_HOME: join(folder, "config"),
    XDG_STATE_HOME: join(folder, "state"),
    XDG_CACHE_HOME: join(folder, "cache"),
  };
  return untilInterrupted(
    (signal) =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, [process.argv[1] ?? "tenterhook", ...args], {
          cwd: join(folder, "work"),
          env,
          // The progress is part of what the demo shows, also in a file or a pipe.
          stdio: ["ignore", "inherit", json ? "inherit" : 1],
        });
        onAbort(signal, () => child.kill("SIGINT"));
        child.once("error", reject);
        child.once("close", (code) => resolve((code ?? EXIT.wrong) as ExitCode));
      }),
  );
}

/** The names of the files that the agent wanted to delete. Throws when they are gone: then the demo has shown a defect. */
function keptFiles(backups: string): readonly string[] {
  if (existsSync(backups)) return readdirSync(backups);
  throw new UsageError(
    "the rule did not refuse the command, and the backups of the demo are gone.",
    "This is a defect of tenterhook: please report it with the output above.",
  );
}

function introduction(): string {
  const lines = readFileSync(join(RULE_FOLDER, "HOOK.md"), "utf8").trim().split("\n");
  return [
    bold("A ready-made rule, in a HOOK.md:"),
    ...lines.slice(0, SHOWN_LINES).map((line) => dim(`  ${printable(line)}`)),
    dim("  …"),
    "",
    bold("An agent that meets it:"),
    dim(`$ ${typedCommand()} run ./agent.json "${MESSAGE}"`),
  ].join("\n");
}

function ending(kept: readonly string[]): string {
  const command = typedCommand();
  const next: readonly (readonly [string, string])[] = [
    ["install claude --rules safety --dry-run", "what it takes to have such rules in Claude Code"],
    ["rules", "all ready-made rules"],
    ["init --help", "write a rule of your own, with a test"],
    ["clients", "the other coding agents, and what rules can do in each"],
    ["up", "a page with agents to start, their runs and approvals"],
  ];
  const rows = next.map(([args, means]): Cell[] => [`  ${command} ${args}`, { text: means, style: dim }]);
  return [
    "",
    `The ${count(kept.length, "file")} in backups/ are still there.`,
    "The model played a script, so this took no key. The agent, the rule and the shell are real.",
    "",
    bold("What to try next"),
    table(rows),
    "",
    "docs/getting-started.md is a tutorial of five minutes.",
  ].join("\n");
}
