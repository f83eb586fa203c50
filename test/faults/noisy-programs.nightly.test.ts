import { type ServedCoordinator, serveCoordinator } from "@tenterhook/coordinator";
import type { RunEvent } from "@tenterhook/protocol/runs";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Client } from "../runner/client.ts";
import { RunnerSandbox } from "../runner/runner-sandbox.ts";

// Programs that print without end beside a quiet one, with the real coordinator and a short lease.

const folder = temporaryFolder();
let served: ServedCoordinator;
const client = new Client(() => served);

beforeAll(async () => {
  served = await serveCoordinator({ folder, port: 0, limits: { leaseSeconds: 15 } });
});
afterAll(() => served.close());

/** A program that writes a text to one of its outputs, again and again. */
function printing(stream: "stdout" | "stderr", text: string): string[] {
  const script = `
    const piece = Buffer.from(process.argv[1], "base64");
    const block = Buffer.concat(Array.from({ length: Math.ceil(65536 / piece.length) }, () => piece));
    const more = () => process.${stream}.write(block, more);
    more();`;
  return [process.execPath, "-e", script, Buffer.from(text, "latin1").toString("base64")];
}

/** The last events of a run that has ended. */
async function lastEvents(runId: string): Promise<readonly RunEvent[]> {
  let last: readonly RunEvent[] = [];
  for await (const event of client.api.runs.storedEvents(runId)) last = [...last, event].slice(-20);
  return last;
}

test.each([
  ["short lines", "stderr", "y\n"],
  ["empty lines", "stderr", "\n"],
  ["one line", "stderr", "y"],
  ["escape sequences", "stderr", `\u001b${";#".repeat(800)}\n`],
  ["events as JSON", "stdout", `{"type":"log","data":{"source":"stderr","text":"y"}}\n`],
  ["bytes that are not text", "stdout", "\u00ff\u00fe\u0000\u0080\n"],
] as const)(
  "a quiet run is not lost beside four programs that print %s to %s without end",
  async (name, stream, text) => {
    const sandbox = new RunnerSandbox(served);
    await sandbox.start({ concurrency: 5 });
    const gate = sandbox.gate();
    const agent = (kind: string) => `${kind}-${stream}-${name.replaceAll(" ", "-")}`;
    await client.put({ name: agent("quiet"), type: "procedural", command: gate.command });
    await client.put({ name: agent("noisy"), type: "procedural", command: printing(stream, text) });
    const quiet = await client.start(agent("quiet"));
    await client.until(quiet.run_id, ({ status }) => status === "running");
    const noisy = await Promise.all(Array.from({ length: 4 }, () => client.run(agent("noisy"))));
    for (const run of noisy) {
      expect(run).toMatchObject({ status: "failed", error_code: "program_failed" });
      expect(run.error).toContain("it printed more than 67108864 bytes");
    }
    await gate.open();
    expect(await client.until(quiet.run_id, ({ status }) => status !== "running")).toMatchObject({
      status: "completed",
      attempt: 1,
    });
    expect(sandbox.lines.filter((line) => line.startsWith("lost"))).toEqual([]);
    if (stream === "stdout") return;
    // The number of bytes that were left out, or of events that did not fit.
    const [first] = noisy;
    const last = first === undefined ? [] : await lastEvents(first.run_id);
    expect(JSON.stringify(last)).toMatch(/\d+ (?:bytes were left out here|more bytes)\)|"events_dropped"/);
  },
);
