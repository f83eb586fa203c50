import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type CommandSandbox, ended, type Ran } from "./command-sandbox.ts";

/** An installation for Claude Code in a sandbox, used as Claude Code uses it. */
export class InstalledClaude {
  readonly sandbox: CommandSandbox;
  readonly folder: string;
  #calls = 0;

  private constructor(sandbox: CommandSandbox) {
    this.sandbox = sandbox;
    this.folder = join(sandbox.home, ".local", "share", "tenterhook-bridge");
  }

  static async install(sandbox: CommandSandbox): Promise<InstalledClaude> {
    const { code, stderr } = await sandbox.run(["install", "claude"]);
    if (code !== 0) throw new Error(`install ended with ${code}: ${stderr}`);
    return new InstalledClaude(sandbox);
  }

  /** What was installed already. */
  static find(sandbox: CommandSandbox): InstalledClaude {
    return new InstalledClaude(sandbox);
  }

  /** The folder with the bridge's own files. */
  get bundle(): string {
    const name = readdirSync(this.folder).find((entry) => /^\d/.test(entry));
    if (name === undefined) throw new Error(`${this.folder} has no bridge`);
    return join(this.folder, name);
  }

  command(event = "PreToolUse"): string {
    const settings = JSON.parse(this.sandbox.read(join(this.sandbox.home, ".claude", "settings.json")));
    return settings.hooks[event].at(-1).hooks[0].command;
  }

  /** A call of the shell, with a new id. */
  payload(command: string): string {
    const call = { tool_name: "Bash", tool_input: { command }, tool_use_id: `call ${++this.#calls}` };
    const session = { session_id: "s1", cwd: this.sandbox.project, permission_mode: "default" };
    return JSON.stringify({ ...session, hook_event_name: "PreToolUse", ...call });
  }

  /** Starts the installed command. `exec`: so that signals reach the script itself, as they do where a client starts no shell. */
  start(env: Readonly<Record<string, string>> = {}, before = ""): ChildProcessWithoutNullStreams {
    const { project: cwd } = this.sandbox;
    const child = spawn("/bin/sh", ["-c", `${before}exec ${this.command()}`], {
      cwd,
      env: this.sandbox.env(env),
    });
    child.stdin.on("error", () => undefined);
    return child;
  }

  call(command: string, env?: Readonly<Record<string, string>>, before?: string): Promise<Ran> {
    const child = this.start(env, before);
    child.stdin.end(this.payload(command));
    return ended(child);
  }
}
