import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { TrustStore } from "@tenterhook/file-hooks/trust";
import { type HookParts, Sandbox } from "@tenterhook/test-support/sandbox";
import { bridge } from "../call/bridge.ts";
import type { NativeAnswer } from "../call/encode/encode.ts";
import type { BridgeCall } from "../call/read/read-call.ts";
import type { DecisionRecord } from "../call/record/decision-log.ts";
import { type Fixture, fixtures } from "./fixtures.ts";

const FIXTURES = new Map(fixtures().map((each) => [each.name, each]));

export interface BridgeHookParts extends HookParts {
  /** The project that the hook belongs to. Default: it is the user's. */
  readonly project?: string;
}

/** A sandbox from which payloads of real clients are sent to the bridge. */
export class BridgeSandbox extends Sandbox {
  readonly jobs: string[] = [];

  /** Writes a hook of the user, or of a project, and returns its folder. */
  hook(name: string, { project, ...parts }: BridgeHookParts = {}): string {
    const hooks = project === undefined ? this.userHooks : join(project, ".agents", "hooks");
    return this.writeHook(join(hooks, name), parts);
  }

  /** Trusts a project's hook as it is now. */
  trust(folder: string): void {
    const { hook } = readHookFile(join(folder, "HOOK.md")) ?? {};
    if (hook === undefined) throw new Error(`${folder} is no hook`);
    new TrustStore(this.state).trust(folder, hook);
  }

  /** A recorded payload, in this sandbox's project, with some fields changed. */
  payload(name: string, changes: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
    const { stdin } = this.#fixture(name);
    const moved = JSON.parse(JSON.stringify(stdin).replaceAll("/home/dev/project", this.project)) as object;
    return { ...moved, ...changes };
  }

  /** Sends a recorded payload to the bridge, as its client would. */
  send(
    name: string,
    changes: Readonly<Record<string, unknown>> = {},
    call: Partial<BridgeCall> = {},
  ): Promise<NativeAnswer> {
    const { client, event } = this.#fixture(name);
    return bridge({
      client,
      event,
      stdin: JSON.stringify(this.payload(name, changes)),
      cwd: this.project,
      startJob: (path) => void this.jobs.push(path),
      ...call,
      env: { PATH: process.env.PATH, HOME: this.home, ...call.env },
    });
  }

  /** The logged decisions. */
  get log(): readonly DecisionRecord[] {
    const path = join(this.state, "audit.jsonl");
    const text = existsSync(path) ? readFileSync(path, "utf8") : "";
    return text
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as DecisionRecord);
  }

  #fixture(name: string): Fixture {
    const found = FIXTURES.get(name);
    if (found === undefined) throw new Error(`there is no fixture ${name}`);
    return found;
  }
}
