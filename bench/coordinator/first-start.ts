import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { restartPort } from "@tenterhook/test-support";
import type { Row } from "../measure.ts";
import { until } from "../until.ts";

const BIN = fileURLToPath(new URL("../../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
const OPEN = fileURLToPath(new URL("open-pglite.js", import.meta.url));
const ROUNDS = 3;
const POLL_MS = 5;

/** From the command on an empty folder until the page answers, against a process that does nothing but open PGlite. */
export async function firstStart(): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-bench-"));
  try {
    const made = join(folder, "made");
    await openPglite(made);
    const best = {
      up: Number.POSITIVE_INFINITY,
      anew: Number.POSITIVE_INFINITY,
      again: Number.POSITIVE_INFINITY,
    };
    for (let round = 0; round < ROUNDS; round++) {
      const copy = join(folder, `again-${round}`);
      cpSync(made, copy, { recursive: true });
      best.up = Math.min(best.up, await up(join(folder, `up-${round}`)));
      best.anew = Math.min(best.anew, await openPglite(join(folder, `anew-${round}`)));
      best.again = Math.min(best.again, await openPglite(copy));
    }
    const what = "tenterhook up on an empty folder, until its page answers";
    const ours = best.up * 1e6;
    return [
      { what, against: "PGlite, a new folder", ours, theirs: best.anew * 1e6, bar: { most: 1.3 } },
      { what, against: "PGlite, a folder that is there", ours, theirs: best.again * 1e6 },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function up(data: string): Promise<number> {
  const port = await restartPort();
  const since = performance.now();
  const child = spawn(process.execPath, [BIN, "up", "--json", "--data", data, "--port", String(port)], {
    stdio: "ignore",
    env: { ...process.env, DATABASE_URL: "" },
  });
  const hasAnswered = () => {
    if (child.exitCode !== null) throw new Error(`tenterhook up ended with ${child.exitCode}`);
    return answers(port);
  };
  await until(hasAnswered, { what: "tenterhook up answers with its page", everyMs: POLL_MS });
  const elapsed = performance.now() - since;
  child.kill("SIGTERM");
  await exit(child);
  return elapsed;
}

async function openPglite(folder: string): Promise<number> {
  const since = performance.now();
  const child = spawn(process.execPath, [OPEN, folder], { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  const elapsed = performance.now() - since;
  await exit(child);
  return elapsed;
}

async function exit(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: "127.0.0.1", path: "/", agent: false }, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    }).once("error", () => resolve(false));
  });
}
