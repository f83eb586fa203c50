import { randomBytes } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { makeFolders } from "@tenterhook/internal/files";
import { encode, type NativeAnswer } from "../call/encode/encode.ts";
import { probeFolder } from "../call/read/read-call.ts";
import type { DecisionRecord } from "../call/record/decision-log.ts";
import type { Client } from "../definition/client.ts";
import type { Path } from "../definition/events.ts";

const HOOK = "tenterhook-doctor";
/** No doctor runs as long. */
const ABANDONED_MS = 60 * 60_000;

/** A hook in a folder of its own, with a script that refuses every call of one session. */
export interface Probe {
  readonly folder: string;
  readonly session: string;
  /** What the script answers. It is different each time, so no other answer is taken for it. */
  readonly reason: string;
  /** A working folder without a project. */
  readonly cwd: string;
}

/** Makes the folder of a probe. Throws when it cannot be written. */
export function newProbe(state: string): Probe {
  const nonce = randomBytes(16).toString("hex");
  const session = `tenterhook-doctor-${nonce}`;
  const folder = probeFolder(state, session);
  removeAbandoned(dirname(folder));
  makeFolders(folder);
  const probe = {
    folder,
    session,
    reason: `refused by the script of tenterhook doctor, ${nonce.slice(0, 8)}`,
    cwd: join(folder, "work"),
  };
  // The search for a project ends here, whatever is above the state folder.
  mkdirSync(join(probe.cwd, ".agents", "hooks"), { recursive: true });
  const hook = join(folder, "config", "agents", "hooks", HOOK);
  mkdirSync(join(hook, "scripts"), { recursive: true });
  writeScript(join(hook, "scripts"), session, probe.reason);
  const fields = `name: ${HOOK}\ndescription: Refuses the call by which doctor tests an installation.\ntrigger: before_tool`;
  writeFileSync(join(hook, "HOOK.md"), `---\n${fields}\non_error: block\ntimeout: 10000\n---\n`);
  return probe;
}

/** The script answers only if its input names the session, so that the input is tested too. */
function writeScript(folder: string, session: string, reason: string): void {
  const isWindows = process.platform === "win32";
  const path = join(folder, isWindows ? "run.cmd" : "run.sh");
  const lines = isWindows
    ? ["@echo off", `echo ${reason} 1>&2`, "exit /b 2"]
    : [
        "#!/bin/sh",
        `while IFS= read -r line || [ -n "$line" ]; do`,
        `  case "$line" in *${session}*) echo "${reason}" >&2; exit 2 ;; esac`,
        "done",
        `echo "the input of the script is not complete" >&2`,
        "exit 1",
      ];
  writeFileSync(path, `${lines.join("\n")}\n`);
  chmodSync(path, 0o700);
}

/** Removes all that is left of a probe. */
export function removeProbe({ folder }: Probe): void {
  rmSync(folder, { recursive: true, force: true });
  try {
    rmdirSync(dirname(folder));
  } catch {
    // Another probe is in there.
  }
}

/** The refusal of the probe's hook in the client's own format. */
export function expectedRefusal(client: Client, eventName: string, { reason }: Probe): NativeAnswer {
  const native = client.events[eventName];
  if (native === undefined) throw new Error(`${client.name} has no event ${eventName}`);
  const verdict = { type: "block", reason, by: HOOK, context: [], notes: [] } as const;
  return encode({ client, eventName, native, event: "before_tool" }, verdict).answer;
}

/** What the bridge recorded about the call; `undefined` when it did not arrive or did not get that far. */
export function probeRecord({ folder }: Probe): DecisionRecord | undefined {
  try {
    const text = readFileSync(join(folder, "state", "tenterhook", "audit.jsonl"), "utf8");
    return JSON.parse(text.split("\n")[0] ?? "") as DecisionRecord;
  } catch {
    return undefined;
  }
}

/** Removes what a killed doctor has left. */
function removeAbandoned(folder: string): void {
  let names: readonly string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // There are none.
  }
  for (const path of names.map((name) => join(folder, name))) {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS)
      rmSync(path, { recursive: true, force: true });
  }
}

/** A call in a client's own format for a probe: a tool that does not exist, with no input. */
export function probePayload(client: Client, event: string, { cwd, session }: Probe): object {
  const payload: Record<string, unknown> = { hook_event_name: event };
  const fields = { ...client.fields, ...client.events[event]?.fields };
  put(payload, fields.sessionId, session);
  put(payload, fields.cwd, cwd);
  put(payload, fields.toolName, "TenterhookDoctor");
  put(payload, fields.toolInput, {});
  put(payload, fields.toolUseId, session);
  return payload;
}

function put(payload: Record<string, unknown>, path: Path, value: unknown): void {
  const keys = (typeof path === "string" ? path : (path[0] ?? "")).split(".");
  let at = payload;
  for (const key of keys.slice(0, -1)) {
    at[key] ??= {};
    at = at[key] as Record<string, unknown>;
  }
  at[keys.at(-1) ?? ""] = value;
}
