import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FileHooks } from "@tenterhook/file-hooks";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { LiveProcess } from "./live-process.ts";

/** The number of parallel calls of an agent, each of which the guard must refuse. */
const CALLS = 8;

const HOOK_MD = `---
name: guard
description: Refuses every command that writes what is forbidden.
trigger: before_tool
matcher:
  tool: Shell
---
`;

/** A project whose trusted HOOK.md refuses some commands, with agents that try them. */
export class GuardedProject {
  readonly folder: string;
  /** The environment of runners: a separate home folder, which contains the trust data. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly #marks: { readonly passed: string; readonly tampered: string; readonly called: string };
  readonly #hook: string;
  readonly #script: string;

  private constructor(root: string) {
    this.folder = join(root, "project");
    const home = join(root, "home");
    const unset = { XDG_CONFIG_HOME: undefined, XDG_STATE_HOME: undefined, XDG_CACHE_HOME: undefined };
    this.environment = { ...process.env, ...unset, HOME: home };
    const mark = (name: string) => join(root, `guard-${name}`);
    this.#marks = { passed: mark("passed"), tampered: mark("tampered"), called: mark("called") };
    this.#hook = join(this.folder, ".agents", "hooks", "guard");
    this.#script = `#!/bin/sh
echo called >> ${this.#marks.called}
case $(cat) in *forbidden*) echo "it is forbidden" >&2; exit 2 ;; esac
`;
    mkdirSync(home, { recursive: true });
  }

  static async make(root: string): Promise<GuardedProject> {
    const project = new GuardedProject(root);
    project.#write();
    const options = { cwd: project.folder, env: project.environment, log: () => {} };
    // The current version, which is not trusted yet.
    const { hooks } = await new FileHooks({ ...options, trustAll: true }).catalogue();
    const { trust } = new FileHooks(options);
    for (const { folder, hook } of hooks) trust.trust(folder, hook);
    return project;
  }

  /** An agent whose every command is forbidden. */
  get agent(): BlueprintInput {
    const command = `echo forbidden >> ${this.#marks.passed}`;
    const toolCalls = Array.from({ length: CALLS }, () => ({ name: "Shell", input: { command } }));
    const script = [{ toolCalls }, { toolCalls }, JSON.stringify({ count: 0, seals: 0 })];
    return {
      name: "guarded",
      type: "autonomous",
      model: { provider: "scripted", script },
      tools: ["Shell"],
      output_schema: { type: "object" },
      max_attempts: 3,
    };
  }

  /** Keeps changing the guard's files in another process. Returns a function that ends it and restores the trusted version. */
  async tamper(): Promise<() => Promise<void>> {
    const process = await LiveProcess.start("tamper", { hook: this.#hook, mark: this.#marks.tampered });
    return async () => {
      await process.kill();
      this.#write();
    };
  }

  /** Violations: forbidden commands that passed, or tampered scripts that ran. */
  get problems(): readonly string[] {
    const { passed, tampered, called } = this.#marks;
    return [
      ...(existsSync(passed)
        ? [`${readFileSync(passed, "utf8").split("\n").length - 1} forbidden commands passed the guard`]
        : []),
      ...(existsSync(tampered) ? ["a script ran that was not trusted"] : []),
      ...(existsSync(called) ? [] : ["the guard was never called"]),
    ];
  }

  #write(): void {
    rmSync(join(this.folder, ".agents"), { recursive: true, force: true });
    mkdirSync(join(this.#hook, "scripts"), { recursive: true });
    writeFileSync(join(this.#hook, "HOOK.md"), HOOK_MD);
    writeFileSync(join(this.#hook, "scripts", "run.sh"), this.#script, { mode: 0o755 });
  }
}
