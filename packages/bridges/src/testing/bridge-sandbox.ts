import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { readHookFile } from "@tenterhook/file-hooks/parse";
import { TrustStore } from "@tenterhook/file-hooks/trust";
import { onTestFinished } from "vitest";
import { bridge } from "../bridge.ts";
import type { DecisionRecord } from "../log/decision-log.ts";
import type { NativeAnswer } from "../lower/lower.ts";
import type { BridgeCall } from "../open-call.ts";
import { type Fixture, fixtures } from "./fixtures.ts";

const FIXTURES = new Map(fixtures().map((each) => [each.name, each]));

export interface HookParts {
  readonly trigger?: string;
  readonly project?: string;
  /** More lines of frontmatter. */
  readonly fields?: readonly string[];
  /** The body of a shell script. */
  readonly script?: string;
}

/** A home and a project of its own; payloads of real clients are sent to the bridge as if they came from there. */
export class BridgeSandbox {
  readonly root = realpathSync(mkdtempSync(join(tmpdir(), "tenterhook-bridge-")));
  readonly home = join(this.root, "home");
  readonly project = join(this.root, "project");
  readonly state = join(this.home, ".local", "state", "tenterhook");
  readonly jobs: string[] = [];

  constructor() {
    mkdirSync(this.home);
    mkdirSync(this.project);
    onTestFinished(() => rmSync(this.root, { recursive: true, force: true }));
  }

  write(path: string, text: string, mode = 0o644): string {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    chmodSync(path, mode);
    return path;
  }

  /** Writes a hook of the user, or of a project, and returns its folder. */
  hook(name: string, { trigger = "before_tool", project, fields = [], script }: HookParts = {}): string {
    const hooks = project === undefined ? join(this.home, ".config") : join(project, ".agents");
    const folder = project === undefined ? join(hooks, "agents", "hooks", name) : join(hooks, "hooks", name);
    const frontmatter = [`name: ${name}`, `description: about ${name}`, `trigger: ${trigger}`, ...fields];
    this.write(join(folder, "HOOK.md"), `---\n${frontmatter.join("\n")}\n---\n`);
    if (script !== undefined) this.write(join(folder, "scripts", "run.sh"), `#!/bin/sh\n${script}\n`, 0o755);
    return folder;
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
