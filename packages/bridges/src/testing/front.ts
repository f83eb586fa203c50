import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { onTestFinished } from "vitest";
import { loadClients } from "../clients/index.ts";
import { fallbackAnswers } from "../install/fallback-answers.ts";
import { hookScript } from "../install/hook-script.ts";
import { formatAnswer, type ResidentAnswer } from "../resident/response.ts";
import { ScriptServer, type ScriptServerOptions } from "./script-server.ts";

const answers = fallbackAnswers(await loadClients());
export const PERL = "/usr/bin/perl";
export const SHELLS = ["/bin/sh", "/bin/bash", "/usr/bin/busybox"].filter(existsSync);

/** Stores its arguments, its environment and its standard input, and answers. */
const COLD_BRIDGE = `const fs = require("node:fs");
fs.writeFileSync(process.env.COLD + "-text", fs.readFileSync(0));
fs.writeFileSync(process.env.COLD + "-env", JSON.stringify(process.env));
fs.writeFileSync(process.env.COLD, JSON.stringify(process.argv.slice(2)));
process.stdout.write("cold\\n");
process.exit(40);`;

export interface FrontRan {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export const NO_OBJECTION: ResidentAnswer = { stdout: "", stderr: "", exit: 0 };
export const COLD: FrontRan = { code: 0, stdout: "cold\n", stderr: "" };

/** The installed script in a folder of its own, with a guard that must not be passed over. */
export class Front {
  readonly root = temporaryFolder();
  readonly resident = join(this.root, "r", "key");
  readonly cold = join(this.root, "cold");
  readonly script = join(this.root, "hook");

  constructor(perl = PERL) {
    const guards = join(this.root, "guards");
    writeFileSync(guards, "before_tool\t*\tthe-guard\n");
    const bridge = join(this.root, "bridge.js");
    writeFileSync(bridge, COLD_BRIDGE);
    const pins = {
      ...{ node: process.execPath, bridge, home: this.root, configHome: join(this.root, "a b") },
      ...{ stateHome: this.root, cacheHome: this.root, path: ["/usr/bin", "/bin"], language: {} },
    };
    const resident = { folder: this.resident, perl };
    const script = hookScript({ pins, answers, guards, hasPrivilegedMode: false, resident });
    writeFileSync(this.script, withMorePatience(script));
  }

  /** A server that answers as given. */
  async serve(
    respond: ResidentAnswer | ScriptServerOptions["respond"] = NO_OBJECTION,
    options: Omit<ScriptServerOptions, "respond"> = {},
  ): Promise<ScriptServer> {
    const server = new ScriptServer(this.resident, {
      respond: typeof respond === "function" ? respond : (socket) => socket.end(formatAnswer(respond)),
      ...options,
    });
    onTestFinished(() => server.close());
    return server.listen();
  }

  /** The command line that a client would start. */
  words(shell = "/bin/sh", seconds = 60): readonly string[] {
    const args = ["--client", "claude", "--event", "PreToolUse", "--timeout", String(seconds), "--entry", ""];
    return [shell, ...(shell.endsWith("busybox") ? ["sh"] : []), this.script, ...args];
  }

  start(env: Readonly<Record<string, string>> = {}, shell = "/bin/sh", seconds = 60): ChildProcess {
    return this.startIn(this.root, this.words(shell, seconds), env);
  }

  startIn(
    cwd: string,
    [program = "", ...args]: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): ChildProcess {
    const child = spawn(program, args, { cwd, env: { PATH: "/usr/bin:/bin", COLD: this.cold, ...env } });
    child.stdin.on("error", () => undefined);
    return child;
  }

  call(text: string | Buffer, ...start: Parameters<Front["start"]>): Promise<FrontRan> {
    const child = this.start(...start);
    child.stdin?.end(text);
    return ended(child);
  }

  get wasCold(): boolean {
    return existsSync(this.cold);
  }

  /** The text that the cold bridge got. */
  get coldText(): Buffer {
    return readFileSync(`${this.cold}-text`);
  }

  /** The environment that it got. */
  get coldEnvironment(): Readonly<Record<string, string>> {
    return JSON.parse(readFileSync(`${this.cold}-env`, "utf8"));
  }
}

/** A machine under load may let the server of a test wait for longer than the script does: here it waits for a quarter of the client's time. */
function withMorePatience(script: string): string {
  const patient = script.replace(/^( *\$patience = \$limit \/ 4) .*$/m, "$1;");
  if (patient === script) throw new Error("the script has no line about its patience");
  return patient;
}

export async function ended(child: ChildProcess): Promise<FrontRan> {
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  const [code] = await once(child, "close");
  return { code, ...output };
}
