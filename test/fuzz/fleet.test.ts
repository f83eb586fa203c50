import { randomUUID } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { LocalFleet } from "../coordinator/local-fleet.ts";
import { isRefusal, type OddAnswer, oddAnswer, startOddReceiver } from "./fleet/odd-receiver.ts";
import { bytesOf, printedOutput } from "./fleet/printed-output.ts";
import { fuzz, limitMs, type Volume } from "./fuzz.ts";

const PRINTER = fileURLToPath(new URL("programs/printer.sh", import.meta.url));
const SLOTS = 6;
const ENDED = ["completed", "failed"];

let fleet: LocalFleet;
beforeAll(async () => {
  fleet = await LocalFleet.open({ webhooks: { allowPrivate: true } });
  await fleet.runner(SLOTS);
  await fleet.put({ name: "printing", type: "procedural", command: ["sh", PRINTER] });
});
afterAll(() => fleet.close());

/** All slots are free: as many runs as there are slots end at once. */
async function expectFreeSlots(): Promise<void> {
  const file = join(fleet.folder, "fine");
  await writeFile(file, "{}");
  const runs = Array.from({ length: SLOTS }, () => fleet.run("printing", { file, code: 0 }));
  expect((await Promise.all(runs)).map(({ status }) => status)).toEqual(runs.map(() => "completed"));
}

const PROGRAMS: Volume = { short: 25, share: 0.02, atOnce: SLOTS, eachMs: 1_500 };

const program = fc.record({
  printed: printedOutput,
  code: fc.constantFrom(0, 0, 0, 1, 2, 126, 255),
  errors: fc.constantFrom("yes", "no"),
});

test(
  "for any output and exit of a program, its run ends and its slot is free again",
  async () => {
    await fuzz("programs", PROGRAMS, program, async ({ printed, code, errors }) => {
      const file = join(fleet.folder, randomUUID());
      await writeFile(file, bytesOf(printed));
      const { status, run_id } = await fleet.run("printing", { file, code, errors });
      if (!ENDED.includes(status)) throw new Error(`the run ${run_id} is ${status}`);
      if (code !== 0 && status !== "failed") throw new Error(`exit code ${code} is a run that is ${status}`);
      await rm(file);
    });
    await expectFreeSlots();
  },
  limitMs("programs", PROGRAMS),
);

const WEBHOOKS: Volume = { short: 20, share: 0.01, atOnce: SLOTS, eachMs: 3_000 };

const webhook = fc.record({
  answer: oddAnswer,
  hook: fc.constantFrom("on_run_start", "on_result"),
  onError: fc.constantFrom("block", "continue"),
});

test(
  "for any answer of a webhook, the run ends by the decision or by on_error",
  async () => {
    const answers = new Map<string, OddAnswer>();
    const url = await startOddReceiver(answers, onTestFinished);
    for (const hook of ["on_run_start", "on_result"]) {
      for (const on_error of ["block", "continue"] as const) {
        const hooks = { [hook]: { type: "http", url, on_error, timeout_seconds: 5 } };
        const name = `${hook}-${on_error}`;
        await fleet.put({ name, type: "procedural", command: ["sh", "-c", "echo {}"], hooks });
      }
    }
    await fuzz("webhooks", WEBHOOKS, webhook, async ({ answer, hook, onError }) => {
      const key = randomUUID();
      answers.set(key, answer);
      const { status, run_id } = await fleet.run(`${hook}-${onError}`, { key });
      answers.delete(key);
      if (!ENDED.includes(status)) throw new Error(`the run ${run_id} is ${status}`);
      const mustFail = isRefusal(answer) || (onError === "block" && answer.status >= 300);
      if (mustFail && status !== "failed")
        throw new Error(`the run ${run_id} is ${status}, though it was refused`);
    });
    expect((await fleet.ask("GET", "/healthz")).status).toBe(200);
    await expectFreeSlots();
  },
  limitMs("webhooks", WEBHOOKS),
);
