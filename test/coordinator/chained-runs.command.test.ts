import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { scriptedModel } from "@tenterhook/agent/testing";
import { TenterhookClient } from "@tenterhook/client";
import { Runner } from "@tenterhook/runner";
import { describe, expect, onTestFinished, test } from "vitest";
import { LocalFleet, type RunView } from "./local-fleet.ts";

// A real coordinator and a real runner with one slot; agents are programs that start and resume runs.

const COMMAND = fileURLToPath(new URL("../../packages/cli/dist/bin/tenterhook.js", import.meta.url));
const CLIENT = new URL("../../packages/client/dist/index.js", import.meta.url).href;
const MAX_DEPTH = 2;

interface Detail extends RunView {
  readonly kind: string;
  readonly agent_name: string;
  readonly hooks: readonly { readonly state: string; readonly error?: string | null }[];
}

/** An agent `worker` whose finish hook starts the agent `reviewer`. */
async function chain(reviewer: (access: string) => string): Promise<LocalFleet> {
  const fleet = await LocalFleet.start({ url: undefined, limits: { maxDepth: MAX_DEPTH } });
  const { url, token } = fleet.served;
  const body = reviewer(`const url = ${JSON.stringify(url)}, token = ${JSON.stringify(token)};`);
  await fleet.program({ name: "reviewer" }, body);
  await saveWorker(fleet);
  return fleet;
}

async function saveWorker(fleet: LocalFleet): Promise<void> {
  const hooks = { on_run_finish: { type: "agent", agent_name: "reviewer", on_error: "continue" } } as const;
  await fleet.answer({ name: "worker", hooks }, { done: true });
}

/** All runs from the first to the last, when none is active any more. */
async function settled(fleet: LocalFleet, least: number): Promise<readonly Detail[]> {
  const list = async () => (await fleet.demand<{ runs: Detail[] }>("GET", "/runs?limit=100")).runs.reverse();
  await expect
    .poll(
      async () => {
        const runs = await list();
        const ended = runs.filter(({ status }) => ["completed", "failed", "stopped"].includes(status));
        // Beyond the limit a chain has already failed to end.
        if (runs.length > 20) throw new Error("the chain does not end");
        const details = await Promise.all(runs.map(({ run_id }) => read(fleet, run_id)));
        const open = details.flatMap(({ hooks }) => hooks).filter(({ state }) => !DONE.has(state));
        return runs.length >= least && ended.length === runs.length && open.length === 0;
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return Promise.all((await list()).map(({ run_id }) => read(fleet, run_id)));
}

const DONE = new Set(["done", "failed", "blocked", "cancelled"]);
const read = (fleet: LocalFleet, id: string) => fleet.demand<Detail>("GET", `/runs/${id}`);

const names = (runs: readonly Detail[]) => runs.map(({ agent_name }) => agent_name);
/** The parent, and as many rounds as the limit allows. */
const LOOP = ["worker", "reviewer", "worker", "reviewer", "worker"];

const byCommand = (args: string) => (access: string) =>
  `
  ${access}
  const { spawnSync } = await import("node:child_process");
  const args = [${JSON.stringify(COMMAND)}, ${args}, "--url", url, "--token", token];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stderr };`;

describe("parent, hook, resume, parent", () => {
  test.each([
    ["the command resume", byCommand('"resume", input.session_id')],
    ["the command run", byCommand('"run", "worker"')],
    ["the command runs retry", byCommand('"runs", "retry", input.run_id')],
    [
      "a client in its program",
      (access: string) => `
        ${access}
        const { TenterhookClient } = await import(${JSON.stringify(CLIENT)});
        await new TenterhookClient({ url, token }).sessions.resume(input.session_id, {});`,
    ],
    [
      "an HTTP request with the header",
      (access: string) => `
        ${access}
        const headers = { authorization: "Bearer " + token, "tenterhook-run": process.env.TENTERHOOK_RUN_ID };
        const response = await fetch(url + "/sessions/" + input.session_id + "/resume", { method: "POST", headers });
        return { status: response.status };`,
    ],
  ])("ends when it is resumed by %s", async (_, reviewer) => {
    const fleet = await chain(reviewer);
    await fleet.runner();
    await fleet.run("worker");
    const runs = await settled(fleet, LOOP.length);
    expect(names(runs)).toEqual(LOOP);
    expect(runs.at(-1)?.hooks).toMatchObject([
      {
        state: "failed",
        error: expect.stringContaining(LIMIT),
      },
    ]);
  });

  test.each(["Resume", "Shell"])("ends when it is resumed by an agent's tool %s", async (tool) => {
    const fleet = await LocalFleet.start({ url: undefined, limits: { maxDepth: MAX_DEPTH } });
    const { url, token } = fleet.served;
    const client = new TenterhookClient({ url, token });
    const first = { id: "" };
    const command = () =>
      `"${process.execPath}" "${COMMAND}" resume ${first.id} --url ${url} --token ${token}`;
    const input = () => (tool === "Shell" ? { command: command() } : {});
    const script = [() => ({ toolCalls: [{ name: tool, input: input() }] }), "ok"];
    const model = scriptedModel(script, { repeat: true });
    const tools = {
      Resume: {
        inputSchema: { type: "object" },
        execute: async () => (await client.sessions.resume(first.id, {})).run_id,
      },
    };
    await fleet.put({ name: "reviewer", type: "autonomous", model: "main", tools: [tool] });
    await saveWorker(fleet);
    const dataDir = join(fleet.folder, "runner");
    const runner = new Runner({ url, token, models: { main: model }, tools, dataDir, log: () => undefined });
    onTestFinished(() => runner.stop());
    first.id = (await client.runs.start({ agent_name: "worker" })).session_id;
    await runner.start();
    const runs = await settled(fleet, LOOP.length);
    expect(names(runs)).toEqual(LOOP);
  });

  test("ends when what a chained run started resumes", async () => {
    const fleet = await chain(byCommand('"run", "helper", "session=" + input.session_id'));
    await helper(fleet, '"resume", input.session');
    await fleet.runner();
    await fleet.run("worker");
    const runs = await settled(fleet, 4);
    expect(names(runs)).toEqual(["worker", "reviewer", "helper", "worker"]);
    expect(runs.at(-1)?.hooks).toMatchObject([{ state: "failed", error: expect.stringContaining(LIMIT) }]);
  });

  test("runs without hooks that a chained run started are refused beyond the limit, with the reason", async () => {
    const fleet = await chain(byCommand('"run", "helper"'));
    await helper(fleet, '"run", "helper"');
    await fleet.runner();
    await fleet.run("worker");
    const runs = await settled(fleet, 4);
    expect(names(runs)).toEqual(["worker", "reviewer", "helper", "helper"]);
    expect(runs.at(-1)?.result_data).toMatchObject({ status: 1, stderr: expect.stringContaining(LIMIT) });
  });
});

const LIMIT = "have started each other 2 times, which is the limit";

function helper(fleet: LocalFleet, args: string): Promise<void> {
  const { url, token } = fleet.served;
  const body = byCommand(args)(`const url = ${JSON.stringify(url)}, token = ${JSON.stringify(token)};`);
  return fleet.program({ name: "helper" }, body);
}

describe("what is not limited", () => {
  test("a client resumes a session more often than the limit while its chained runs are active", async () => {
    const fleet = await chain(() => "");
    await fleet.runner();
    const { session_id } = await fleet.run("worker");
    for (let n = 0; n < MAX_DEPTH + 2; n++) {
      const path = `/sessions/${session_id}/resume`;
      expect(await fleet.ask("POST", path, { execution_mode: "sync" })).toMatchObject({ status: 201 });
    }
    const runs = await settled(fleet, 2 * (MAX_DEPTH + 3));
    expect(runs.flatMap(({ hooks }) => hooks).filter(({ state }) => state === "failed")).toEqual([]);
  });

  test("callbacks of a client's runs resume their parent more often than the limit", async () => {
    const fleet = await LocalFleet.start({ url: undefined, limits: { maxDepth: MAX_DEPTH } });
    await fleet.answer({ name: "reviewer" }, { read: true });
    await saveWorker(fleet);
    await fleet.answer({ name: "child" }, { found: true });
    await fleet.runner();
    const { session_id } = await fleet.run("worker");
    const more = { parent_session_id: session_id, execution_mode: "async_callback" };
    const count = MAX_DEPTH + 2;
    for (let n = 0; n < count; n++) await fleet.run("child", {}, more);
    // The parent, its reviewer, and for each child its run, the callback and the reviewer of that.
    const runs = await settled(fleet, 2 + 3 * count);
    expect(runs.filter(({ kind }) => kind === "callback")).toHaveLength(count);
    expect(runs.flatMap(({ hooks }) => hooks).filter(({ state }) => state === "failed")).toEqual([]);
  });
});

describe("inside a run", () => {
  test("the command does not wait, and says so", async () => {
    const fleet = await chain(byCommand('"resume", input.session_id'));
    await fleet.runner();
    await fleet.run("worker");
    const reviewer = (await settled(fleet, LOOP.length)).find(({ kind }) => kind === "chained");
    expect(reviewer?.result_data).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/does not wait for the result inside the run run_\w+, .* --wait waits\./),
    });
  });

  test("--wait waits for a run that has a slot, and says that it needs one", async () => {
    const fleet = await chain(byCommand('"run", "other", "--wait"'));
    await fleet.answer({ name: "other" }, { other: true });
    await fleet.runner(2);
    await fleet.run("worker");
    const runs = await settled(fleet, 3);
    const reviewer = runs.find(({ kind }) => kind === "chained");
    expect(reviewer?.result_data).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/needs a free slot of a runner[\s\S]*completed/),
    });
  });
});
