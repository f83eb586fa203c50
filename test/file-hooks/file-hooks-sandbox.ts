import { join } from "node:path";
import { createHooks, type Dispatch, type Hooks } from "@tenterhook/engine";
import type { RunOptions } from "@tenterhook/engine/host";
import { FileHooks, type FileHooksOptions } from "@tenterhook/file-hooks";
import { Sandbox } from "@tenterhook/test-support/sandbox";

/** A sandbox with file hooks. */
export class FileHooksSandbox extends Sandbox {
  readonly logged: string[] = [];
  readonly reported: string[] = [];

  get env(): Record<string, string | undefined> {
    return {
      ...process.env,
      HOME: this.home,
      XDG_CONFIG_HOME: undefined,
      XDG_STATE_HOME: undefined,
      XDG_CACHE_HOME: undefined,
    };
  }

  /** Writes a hook's folder: its frontmatter as lines, and a shell script as its body. */
  hook(root: string, name: string, frontmatter: Record<string, unknown>, script?: string): string {
    const folder = join(root, name);
    const fields = { name, description: `The hook ${name}`, trigger: "before_tool", ...frontmatter };
    const lines = Object.entries(fields).map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
    this.write(join(folder, "HOOK.md"), `---\n${lines.join("\n")}\n---\n\n# ${name}\n`);
    if (script !== undefined) this.write(join(folder, "scripts", "run.sh"), `#!/bin/sh\n${script}\n`, 0o755);
    return folder;
  }

  fileHooks(options: FileHooksOptions = {}): FileHooks {
    return new FileHooks({
      cwd: this.project,
      env: this.env,
      log: (message) => this.logged.push(message),
      ...options,
    });
  }

  /** The hooks of this sandbox, attached to an engine of their own. */
  hooks(options?: FileHooksOptions): Hooks {
    const hooks = createHooks({ report: ({ message }) => this.reported.push(message) });
    this.fileHooks(options).attach(hooks);
    return hooks;
  }

  /** Trusts every project hook and the project's hooks.toml, as `tenterhook trust --all` would. */
  async trustAll(toml?: string, cwd: string = this.project): Promise<void> {
    const fileHooks = this.fileHooks({ cwd });
    // As they are now, not as they were trusted.
    const { hooks } = await this.fileHooks({ cwd, trustAll: true }).catalogue();
    for (const { scope, folder, hook } of hooks) if (scope === "project") fileHooks.trust.trust(folder, hook);
    const { projectHooks } = fileHooks.locations;
    if (projectHooks !== undefined) fileHooks.trust.trustToml(join(projectHooks, "hooks.toml"), toml);
  }

  /** Asks about a shell command. */
  shell(hooks: Hooks, command = "ls", options?: RunOptions): Promise<Dispatch<"before_tool">> {
    const payload = { toolName: "Shell", toolInput: { command }, sessionId: "sess-1", workDir: this.project };
    return hooks.dispatch("before_tool", payload, options);
  }
}

export const DENY = "echo denied >&2; exit 2";
