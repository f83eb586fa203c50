import { join } from "node:path";
import { isResident, type ResidentFiles, readAbout, residentFiles } from "@tenterhook/bridges/resident";
import { expect } from "vitest";
import { askStatus } from "../daemon/ask-status.ts";
import type { CommandSandbox, Ran } from "./command-sandbox.ts";
import { InstalledClaude } from "./installed-claude.ts";

/** An installation for Claude Code whose calls are answered by a resident process, which ends with the test. */
export class ResidentClaude {
  readonly claude: InstalledClaude;
  readonly files: ResidentFiles;

  private constructor(claude: InstalledClaude, folder: string) {
    this.claude = claude;
    this.files = residentFiles(folder);
  }

  /** Installs it; no resident process runs yet. */
  static async install(sandbox: CommandSandbox): Promise<ResidentClaude> {
    sandbox.turnDaemonOn();
    const claude = await InstalledClaude.install(sandbox);
    const folder = /^resident_folder=(.*)$/m.exec(sandbox.read(join(claude.folder, "hook")))?.[1] ?? "";
    return new ResidentClaude(claude, folder);
  }

  /** The same, after a first call that has started the resident process. */
  static async start(sandbox: CommandSandbox): Promise<ResidentClaude> {
    const resident = await ResidentClaude.install(sandbox);
    await resident.claude.call("first");
    await expect.poll(() => resident.pid).toBeDefined();
    return resident;
  }

  /** Calls until the resident process has answered: a machine under load may let it wait so long that the script does not. */
  async ask(...call: Parameters<InstalledClaude["call"]>): Promise<Ran> {
    for (;;) {
      const before = await this.#countCalls();
      const ran = await this.claude.call(...call);
      if ((await this.#countCalls()) > before) return ran;
    }
  }

  /** The resident process; `undefined` without one that listens. */
  get pid(): number | undefined {
    const about = readAbout(this.files);
    return about !== undefined && isResident(about.pid, this.files.folder) ? about.pid : undefined;
  }

  async #countCalls(): Promise<number> {
    const status = await askStatus(this.files);
    return status.type === "running" ? status.calls : 0;
  }
}
