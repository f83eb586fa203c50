import assert from "node:assert/strict";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { ended, type NodeSandbox } from "../node-sandbox.ts";

/** Starts a coordinator with its embedded store and a runner, completes a run with a start hook and a tool call, and ends both. */
export async function checkCoordinator(sandbox: NodeSandbox): Promise<undefined> {
  const data = join(sandbox.root, "data");
  const up = sandbox.startCommand("up", "--json", "--data", data, "--port", "0");
  const end = ended(up);
  try {
    if (up.stdout === null) throw new Error("it was started with pipes");
    const early = end.then(({ code, signal, stderr }) => {
      throw new Error(`tenterhook up ended with ${code ?? signal}:\n${stderr}`);
    });
    await Promise.race([once(createInterface(up.stdout), "line"), early]);

    const answer = await sandbox.command(["run", "hello", "Who are you?", "--data", data]);
    assert.match(answer, /^Hello! /);
    const report = await sandbox.command(["run", "report-generator", "report_id=R123", "--data", data]);
    assert.deepEqual(JSON.parse(report), { report: "Report R123", made_from: "/data/reports/R123.csv" });
    const { runs } = JSON.parse(await sandbox.command(["runs", "--json", "--data", data])) as Listed;
    const states = runs.filter(({ agent_name }) => agent_name === "hello").map(({ status }) => status);
    assert.deepEqual(states, ["completed"]);
  } finally {
    up.kill("SIGTERM");
  }
  const { code, signal, stderr } = await end;
  assert.equal(code, 0, `tenterhook up ended with ${code ?? signal} after SIGTERM:\n${stderr}`);
}

interface Listed {
  readonly runs: readonly { readonly agent_name: string; readonly status: string }[];
}
