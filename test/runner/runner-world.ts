import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Runner, type RunnerOptions } from "@tenterhook/runner";
import { onTestFinished } from "vitest";

/** A machine of its own for one test, with whatever runners it starts there. */
export class RunnerWorld {
  readonly root = mkdtempSync(join(tmpdir(), "tenterhook-runner-"));
  readonly lines: string[] = [];
  readonly #coordinator: { readonly url: string; readonly token: string };

  constructor(coordinator: { readonly url: string; readonly token: string }) {
    this.#coordinator = coordinator;
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  /** Starts a runner that is stopped with the test. */
  async start(options: Partial<RunnerOptions> = {}): Promise<Runner> {
    const { url, token } = this.#coordinator;
    const runner = new Runner({
      url,
      token,
      name: "test",
      dataDir: join(this.root, "data"),
      baseDir: this.root,
      environment: {
        ...process.env,
        HOME: join(this.root, "home"),
        XDG_CONFIG_HOME: undefined,
        XDG_STATE_HOME: undefined,
        XDG_CACHE_HOME: undefined,
      },
      log: (line) => this.lines.push(line),
      ...options,
    });
    onTestFinished(() => runner.stop());
    await runner.start();
    return runner;
  }
}
