import { once } from "node:events";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { userInfo } from "node:os";
import { join } from "node:path";
import { serveCoordinator } from "@tenterhook/coordinator";
import type { AgentSummary, Approval, RunDetail, RunSummary } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RunningCommands, type Service } from "../testing/running-commands.ts";

const commands = new RunningCommands();
let up: Service;

beforeAll(async () => {
  up = commands.start(["up", "--port", "0", "--allow-private", "127.0.0.1"]);
  await up.printed(/API +http:\S+[\s\S]*Ctrl-C/);
  await up.printed(/takes 4 at a time/);
});
afterAll(() => commands.close());

const start = (agent: string, parameters: object) => commands.run(["run", agent, JSON.stringify(parameters)]);

async function latestRun(agent: string): Promise<RunDetail | undefined> {
  const { runs } = await commands.get<{ runs: RunSummary[] }>(`/runs?agent=${agent}&limit=1`);
  return runs[0] && commands.get<RunDetail>(`/runs/${runs[0].run_id}`);
}

describe("tenterhook up", () => {
  test("prints a sign-in link that works once", async () => {
    const [, link = ""] = await up.printed(/page +(http:\S+)/);
    const [first, second] = [
      await fetch(link, { redirect: "manual" }),
      await fetch(link, { redirect: "manual" }),
    ];
    expect(first.status).toBe(303);
    expect(first.headers.get("set-cookie")).toMatch(/HttpOnly/);
    const cookie = first.headers.get("set-cookie")?.split(";")[0] ?? "";
    const who = await fetch(new URL("/whoami", link), { headers: { cookie } });
    expect(await who.json()).toMatchObject({ name: userInfo().username });
    expect(second.status).toBe(401);
  });

  test("prints commands to try, each for an agent that exists", async () => {
    const suggested = [...up.output.matchAll(/^ {2}tenterhook (run .*) --data/gm)].map(
      ([, args = ""]) => args,
    );
    expect(suggested).toHaveLength(6);
    const agents = await commands.json<{ agents: AgentSummary[] }>(["agents"]);
    for (const command of suggested) {
      const [, name] = /^run (\S+) (?:"[^"]+"|\w+=\w+)$/.exec(command) ?? [];
      expect(agents.agents.map((agent) => agent.name)).toContain(name);
    }
  });

  test("has four demos for the page, in this order", async () => {
    const { agents } = await commands.json<{ agents: AgentSummary[] }>(["agents"]);
    const saved = agents.toSorted((one, other) => Date.parse(one.updated_at) - Date.parse(other.updated_at));
    expect(saved.flatMap(({ name, demo }) => (demo === null ? [] : [[name, demo.title]]))).toEqual([
      ["guarded", "See rm -rf refused"],
      ["deployer", "Approve a deployment"],
      ["release-notes", "Check every tool call"],
      ["report-generator", "Let a hook add a parameter"],
    ]);
  });

  test("has an agent that calls a tool, and a finish hook that records it", async () => {
    const { code, stdout, stderr } = await start("hello", { message: "Who are you?" });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Hello! My model plays a script/);
    expect(stderr).toMatch(
      /step 1\n {2}Let me see where I am\.\n {2}→ Shell uname -s && pwd\n {2}✓ Shell .*\nstep 2\ncompleted/,
    );
    await up.printed(/\(audit-logger\)[\s\S]*completed/);
    await expect
      .poll(() => readFileSync(join(commands.data, "demo", "audit.jsonl"), "utf8"))
      .toMatch(/"hello".*"completed"/);
  });

  test("has a start hook that changes the parameters; both versions are stored", async () => {
    const { code, stdout, stderr } = await start("report-generator", { report_id: "R123" });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ report: "Report R123", made_from: "/data/reports/R123.csv" });
    expect(stderr).toMatch(/→ on_run_start path-resolver\n {2}✓ on_run_start path-resolver {2}\S+ ms\n/);
    const run = await latestRun("report-generator");
    expect(run?.original_parameters).toEqual({ report_id: "R123" });
    expect(run?.parameters).toEqual({ report_id: "R123", resolved_path: "/data/reports/R123.csv" });
  });

  test("has a start hook that refuses: exit 2, with the reason, and nothing on standard output", async () => {
    const { code, stdout, stderr } = await start("guarded", { message: "Run rm -rf /" });
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/⊘ on_run_start security-validator .*: "rm -rf" would destroy data\nblocked\n$/);
    expect((await start("guarded", { message: "Be nice" })).stdout).toMatch(/^Done/);
  });

  test("has a chain: the end of one agent starts the next, in a session of its own", async () => {
    expect((await start("data-extractor", { source: "orders" })).code).toBe(0);
    const extractor = await latestRun("data-extractor");
    await expect.poll(async () => (await latestRun("data-processor"))?.status).toBe("completed");
    const processor = await latestRun("data-processor");
    expect(processor?.result_data).toEqual({ processed_count: 2, summary: "2 records, 42 in total" });
    expect(processor?.parent_run_id).toBe(extractor?.run_id);
    expect(processor?.session_id).not.toBe(extractor?.session_id);
  });

  test.each([
    ["approve", 0, { deployed_to: "production" }],
    ["reject", 2, undefined],
  ])("has an agent that waits for approval: %s", async (decision, code, result) => {
    const deploying = start("deployer", { environment: "production" });
    const waiting = () =>
      commands.get<{ approvals: Approval[] }>("/approvals?state=pending").then(({ approvals }) => approvals);
    await expect.poll(waiting).toHaveLength(1);
    const [approval] = await waiting();
    await commands.run(["approvals", decision, approval?.approval_id ?? ""]);
    const ran = await deploying;
    expect(ran.stderr).toContain(`tenterhook approvals approve ${approval?.approval_id}`);
    expect(ran.code).toBe(code);
    expect(ran.stdout === "" ? undefined : JSON.parse(ran.stdout)).toEqual(result);
  });

  test("restarts its runner after a crash", async () => {
    const runners = () => up.output.split("takes 4 at a time").length - 1;
    expect(runners()).toBe(1);
    const { runners: known } = await commands.get<{ runners: { info: { pid: number } }[] }>("/runners");
    process.kill(known[0]?.info.pid ?? 0, "SIGKILL");
    await up.printed(/the runner was ended by SIGKILL; restarting/);
    await expect.poll(runners).toBe(2);
    expect((await start("hello", { message: "Still there?" })).code).toBe(0);
  });

  test("shows a refused call with its reason once, in order", async () => {
    const { code, stderr } = await start("release-notes", { message: "Prepare 1.4" });
    expect(code).toBe(0);
    const lines = stderr.replaceAll(/ {2}\S+ ms(?=\n|:)/g, "");
    expect(lines).toMatch(
      /step 1\n {2}First I see what has changed\.\n {2}→ on_tool_call tool-guard\n {2}✓ on_tool_call tool-guard\n {2}→ Shell sleep 0\.4/,
    );
    expect(lines).toMatch(
      /step 3\n {2}I clear the old build away\.\n {2}→ on_tool_call tool-guard\n {2}⊘ on_tool_call tool-guard: files are removed by people here\n {2}⊘ Shell rm -rf build {2}blocked.*\nstep 4\ncompleted/,
    );
    expect(lines.split("files are removed by people here")).toHaveLength(2);
  });

  test("lets http hooks call a private address that --allow-private names", async () => {
    const server = createServer((_, response) =>
      response.setHeader("content-type", "application/json").end('{"action": "continue", "parameters": {}}'),
    ).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const hook = { type: "http", url: `http://127.0.0.1:${port}/`, on_error: "block", timeout_seconds: 10 };
    const blueprint = {
      name: "calls-here",
      type: "procedural",
      module: join(commands.data, "demo", "deployer.mjs"),
      hooks: { on_run_start: hook },
    };
    writeFileSync(join(commands.data, "calls-here.json"), JSON.stringify(blueprint));
    await commands.run(["agents", "put", join(commands.data, "calls-here.json")]);
    const { code, stderr } = await commands.run(["run", "calls-here", "environment=test"]);
    expect(stderr).toMatch(/✓ on_run_start http:.*\n[\s\S]*completed\n$/);
    expect(code).toBe(0);
  });

  test("prints the address and a new sign-in link when it is already running", async () => {
    const second = await commands.run(["up"]);
    expect({ code: second.code, stderr: second.stderr }).toEqual({ code: 0, stderr: "" });
    const [, url = ""] = /^already running at (http:\S+)\n/.exec(second.stdout) ?? [];
    expect(up.output).toContain(`API   ${url} `);
    const [, link = ""] = /page +(http:\S+)/.exec(second.stdout) ?? [];
    expect((await fetch(link, { redirect: "manual" })).status).toBe(303);
    expect(await commands.json(["up"])).toMatchObject({ url, already_running: true });
  });

  test("names the options that the running one does not have, and ends with 1", async () => {
    const [, port = ""] = /:(\d+)$/m.exec((await commands.json<{ url: string }>(["up"])).url) ?? [];
    const same = ["up", "--port", port, "--allow-private", "127.0.0.1"];
    expect(await commands.run(same)).toMatchObject({ code: 0, stderr: "" });
    const other = ["up", "--port", "1", "--allow-private", "10.0.0.0/8", "--allow-host", "a.example"];
    const { code, stdout, stderr } = await commands.run(other);
    expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/^already running at http/) });
    expect(stderr).toContain("not applied: --port, --allow-host, --allow-private.");
    expect(await commands.json(other)).toMatchObject({
      already_running: true,
      not_applied: ["--port", "--allow-host", "--allow-private"],
    });
  });
});

test("of two that start at the same time on a new folder, one runs and the other prints its address", async () => {
  const two = new RunningCommands();
  onTestFinished(() => two.close());
  const both = [1, 2].map(() => two.start(["up", "--port", "0"]));
  const [second] = await Promise.all([
    Promise.race(both.map((each) => each.ran)),
    Promise.all(both.map((each) => each.printed(/page +http/))),
  ]);
  expect(second).toMatchObject({ code: 0, stdout: expect.stringMatching(/^already running at http/) });
});

test("one whose folder is in use says so, waits, and starts when the other process has ended", async () => {
  const waiting = new RunningCommands();
  onTestFinished(() => waiting.close());
  const other = await serveCoordinator({ folder: waiting.data, port: 0 });
  try {
    // As in a coordinator that has just begun to start.
    rmSync(join(waiting.data, "address"));
    const service = waiting.start(["up", "--port", "0"]);
    await service.printed(/another process uses data; waiting for its coordinator to start/);
    await other.close();
    await service.printed(/page +http/);
  } finally {
    await other.close();
  }
});

// Last, because it ends the processes of the other tests.
describe("ending it", () => {
  test("waits for active runs, and leaves no process and no address behind", async () => {
    const gate = join(commands.data, "demo", "gate");
    writeFileSync(
      join(commands.data, "demo", "slow.mjs"),
      `import { existsSync } from "node:fs";
       export default async ({ gate }) => {
         while (!existsSync(gate)) await new Promise((resolve) => setTimeout(resolve, 20));
         return {};
       };`,
    );
    const blueprint = join(commands.root, "slow.json");
    writeFileSync(
      blueprint,
      JSON.stringify({ name: "slow", type: "procedural", module: join(commands.data, "demo", "slow.mjs") }),
    );
    await commands.run(["agents", "put", blueprint]);
    await commands.run(["run", "slow", JSON.stringify({ gate }), "--detach"]);
    await up.printed(/claimed \S+ \(slow\)/);
    const ending = up.end("SIGINT");
    await up.printed(/ending; waiting for active runs/);
    writeFileSync(gate, "");
    expect((await ending).code).toBe(0);
    expect(up.output).toMatch(/\(slow\)[\s\S]*ending; waiting for active runs[\s\S]*completed[\s\S]*ended/);
    const { stderr } = await commands.run(["runs"]);
    expect(stderr).toContain("no coordinator is running in data");
    // All its files are in its data folder.
    expect(readdirSync(commands.root).sort()).toEqual(["data", "slow.json"]);
  });

  test("does not save agents again at the next start", async () => {
    const again = commands.start(["up", "--port", "0", "--json"]);
    await again.printed(/"login_url"/);
    const { agents } = await commands.json<{ agents: AgentSummary[] }>(["agents"]);
    expect(agents.map(({ revision }) => revision)).toEqual(agents.map(() => 1));
    expect(agents.map(({ name }) => name)).toContain("slow");
  });
});
