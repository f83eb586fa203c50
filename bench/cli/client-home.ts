import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Contender } from "../measure.ts";

export const BIN = fileURLToPath(new URL("../../../packages/cli/dist/bin/tenterhook.js", import.meta.url));

/** A home with a hook that is asked about one command only, and what Claude Code starts and sends there. */
export class ClientHome {
  readonly path = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  readonly env: Readonly<Record<string, string>>;
  /** The bare script of the hook. */
  readonly script: string;
  #calls = 0;

  constructor() {
    this.env = { PATH: process.env.PATH ?? "", HOME: this.path };
    const folder = join(this.hooks, "guard");
    mkdirSync(join(folder, "scripts"), { recursive: true });
    const frontmatter = "name: guard\ndescription: For measuring\ntrigger: before_tool";
    writeFileSync(
      join(folder, "HOOK.md"),
      `---\n${frontmatter}\nmatcher: { tool: Shell, pattern: deploy }\n---\n`,
    );
    this.script = join(folder, "scripts", "run.sh");
    writeFileSync(this.script, "#!/bin/sh\ncat >/dev/null\nexit 0\n", { mode: 0o755 });
  }

  get hooks(): string {
    return join(this.path, ".config", "agents", "hooks");
  }

  /** Adds rules without a script, which match no call that is measured. */
  addRules(count: number): void {
    for (let nth = 0; nth < count; nth++) {
      const folder = join(this.hooks, `rule-${nth}`);
      mkdirSync(folder);
      const frontmatter = `name: rule-${nth}\ndescription: For measuring\ntrigger: before_tool\naction: block\nreason: no`;
      writeFileSync(
        join(folder, "HOOK.md"),
        `---\n${frontmatter}\nmatcher: { tool: Shell, pattern: "forbidden-${nth} .*now" }\n---\n`,
      );
    }
  }

  /** Installs the bridge in Claude Code, and returns the command that its settings have then. */
  async install(): Promise<string> {
    await this.run(process.execPath, [BIN, "install", "claude", "--yes"]);
    const settings = JSON.parse(readFileSync(join(this.path, ".claude", "settings.json"), "utf8"));
    return settings.hooks.PreToolUse[0].hooks[0].command;
  }

  /** A call that the hook is asked about, if the command is `deploy`. */
  payload(command: string): string {
    return JSON.stringify({
      session_id: "bench",
      cwd: this.path,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command },
      tool_use_id: `call-${++this.#calls}`,
    });
  }

  run(command: string, args: readonly string[], input = "", env = this.env): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(command, args, { env, cwd: this.path, stdio: ["pipe", "ignore", "inherit"] });
      child.once("error", reject);
      child.once("exit", (code) =>
        code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
      );
      child.stdin.on("error", () => undefined);
      child.stdin.end(input);
    });
  }
}

export function repeated(start: () => Promise<void>): Contender {
  return async (times) => {
    for (let nth = 0; nth < times; nth++) await start();
  };
}
