import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import type {
  AgentRecord,
  Approval,
  NewToken,
  Run,
  RunEvent,
  RunSummary,
  TokenRecord,
} from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RunningCommands } from "../testing/running-commands.ts";

const USER = userInfo().username;
const commands = new RunningCommands();
const PROGRAM = join(commands.root, "program.mjs");

/** An agent that follows its parameters. */
const program = (name: string, more: object = {}) => ({ name, type: "procedural", module: PROGRAM, ...more });

const put = async (blueprint: { readonly name: string; readonly [field: string]: unknown }) => {
  const file = join(commands.root, `${blueprint.name}.json`);
  writeFileSync(file, JSON.stringify(blueprint));
  return commands.run(["agents", "put", file]);
};

beforeAll(async () => {
  writeFileSync(
    PROGRAM,
    `export default async ({ fail, slow, log, ...rest }) => {
      if (log) console.log(log);
      if (fail) throw new Error(fail);
      if (slow) await new Promise((resolve) => setTimeout(resolve, 600_000));
      return { got: rest };
    };`,
  );
  const coordinator = commands.start(["serve", "--port", "0"]);
  await coordinator.printed(/data +\S+/);
  const runner = commands.start(["runners", "start", "--name", "one", "--concurrency", "4"]);
  await runner.printed(/takes 4 at a time/);
  expect((await put(program("worker"))).code).toBe(0);
});
afterAll(() => commands.close());

const startWorker = (parameters: object) =>
  commands.json<Run>(["run", "worker", JSON.stringify(parameters), "--detach"]);

describe("agents", () => {
  test("are saved from a file, shown as they were saved, and deleted", async () => {
    expect((await put(program("passing", { description: "soon gone" }))).stdout).toBe(
      "passing saved, revision 1\n",
    );
    await put(program("passing", { description: "changed" }));
    const shown = await commands.run(["agents", "show", "passing"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ name: "passing", description: "changed" });
    expect(await commands.json<AgentRecord>(["agents", "show", "passing"])).toMatchObject({
      revision: 2,
      used_by: { agents: [], hooks: [] },
    });
    expect((await commands.run(["agents"])).stdout).toMatch(/^passing +procedural +2 .* changed$/m);
    expect((await commands.run(["agents", "delete", "passing"])).stdout).toBe("passing deleted\n");
    expect((await commands.run(["agents"])).stdout).not.toContain("passing");
  });

  test("that are invalid are refused with field and advice", async () => {
    const { code, stderr } = await put(
      program("hooked", {
        hooks: { on_run_start: { type: "agent", agent_name: "missing", on_error: "block" } },
      }),
    );
    expect(code).toBe(1);
    expect(stderr).toMatch(/^tenterhook agents: .*\(hooks\.on_run_start\.agent_name\): .*missing/);
    expect((await commands.run(["agents", "put", join(commands.root, "missing.json")])).stderr).toContain(
      "ENOENT",
    );
    writeFileSync(join(commands.root, "nameless.json"), "{}");
    expect((await commands.run(["agents", "put", join(commands.root, "nameless.json")])).stderr).toContain(
      "needs a name",
    );
  });
});

describe("a run", () => {
  test("prints its result to standard output and its log to standard error", async () => {
    const { code, stdout, stderr } = await commands.run(["run", "worker", '{"a": 1, "log": "halfway"}']);
    expect(JSON.parse(stdout)).toEqual({ got: { a: 1 } });
    expect(stderr).toMatch(
      /^run_\S+ in session ses_\S+\nhttp:\S+\/runs\/run_\S+\nwaiting for a runner\n[\s\S]*running\n {2}│ halfway\ncompleted\n$/,
    );
    expect(code).toBe(0);
  });

  test("with --detach is only started, and printed with the address of its page", async () => {
    const { stdout, stderr } = await commands.run(["run", "worker", "--detach"]);
    const [, id = ""] = /^(run_\S+) is \w+, in session ses_\S+\n$/.exec(stdout) ?? [];
    const [, link = ""] = /page: (http:\S+)/.exec(stderr) ?? [];
    expect(link.endsWith(`/runs/${id}`)).toBe(true);
    const page = await fetch(link, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });

  test.each([
    [["Who are you?"], { message: "Who are you?" }],
    [
      ["a=1", "b=true", "c=text", "d=x=y", 'e={"f":[2]}'],
      { a: 1, b: true, c: "text", d: "x=y", e: { f: [2] } },
    ],
    [['{"a": 1, "b": 2}', "b=3", "Hello"], { a: 1, b: 3, message: "Hello" }],
  ])("accepts a plain message, key=value and JSON: %j", async (args, got) => {
    expect(await commands.json<Run>(["run", "worker", ...args])).toMatchObject({
      result_data: { got },
    });
  });

  test("converts a message and values by the agent's schema", async () => {
    const text = { type: "string" };
    const prompted = {
      type: "object",
      required: ["prompt"],
      properties: { prompt: text, size: { type: "integer" } },
    };
    await put(program("prompted", { parameters_schema: prompted }));
    const zip = { type: "object", required: ["zip"], properties: { zip: text, note: text } };
    await put(program("posted", { parameters_schema: zip }));
    const numbers = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } } };
    await put(program("adder", { parameters_schema: numbers }));
    const got = async (...args: string[]) => (await commands.json<Run>(["run", ...args])).result_data?.got;
    expect(await got("prompted", "Draw", "size=3")).toEqual({ prompt: "Draw", size: 3 });
    expect(await got("posted", "01234")).toEqual({ zip: "01234" });
    expect(await got("posted", "zip=01234", "note=7")).toEqual({ zip: "01234", note: "7" });
    expect((await commands.run(["run", "adder", "one and two"])).stderr).toMatch(
      /adder takes no message\.\nUse key=value; its parameters are a, b\./,
    );
    expect((await commands.run(["run", "worker", "Who", "are"])).stderr).toContain(
      'Quote the message, as "Who are"',
    );
  });

  test("with a misspelt parameter is refused with the right name, or reported if the agent may take it", async () => {
    const text = { type: "string" };
    const schema = { type: "object", required: ["report_id"], properties: { report_id: text, dry_run: {} } };
    await put(program("reporter", { parameters_schema: schema }));
    const refusal =
      'reporter has no parameter "reprot_id".\nDid you mean report_id? Its parameters are dry_run, report_id.';
    for (const args of [["reprot_id=3"], ['{"reprot_id": "3"}']]) {
      const { code, stderr } = await commands.run(["run", "reporter", ...args]);
      expect(code).toBe(1);
      expect(stderr).toContain(refusal);
    }
    const reported = await commands.run(["run", "reporter", "report_id=3", "dry_rnu=true", "note=x"]);
    expect(reported.code).toBe(0);
    expect(reported.stderr).toContain('reporter has no parameter "dry_rnu". Did you mean dry_run?');
    expect(reported.stderr).not.toContain('"note"');
  });

  test("that no runner can execute shows how to start one", async () => {
    await put(program("on-a-gpu", { tags: ["gpu", "eu"] }));
    const waiting = commands.start(["run", "on-a-gpu"]);
    await waiting.printed(
      /no connected runner has the tags gpu, eu, so the run waits\. Start one with: tenterhook runners start --data \S+ --tags gpu,eu\n/,
    );
    const [, id = ""] = await waiting.printed(/^(run_\S+)/);
    await commands.run(["runs", "stop", id]);
    expect((await waiting.ran).code).toBe(2);
  });

  test("with a failed gate shows it, and a failing hook once", async () => {
    const hook = join(commands.root, ".config", "agents", "hooks", "done-means-done");
    mkdirSync(join(hook, "scripts"), { recursive: true });
    const head = ["name: done-means-done", "description: d", "trigger: before_stop", "on_error: block"];
    writeFileSync(join(hook, "HOOK.md"), `---\n${head.join("\n")}\n---\n`);
    writeFileSync(join(hook, "scripts", "run.sh"), "#!/bin/bash\nexit 7\n", { mode: 0o755 });
    onTestFinished(() => rmSync(hook, { recursive: true }));
    const script = Array.from({ length: 20 }, () => "Done.");
    await put({ name: "gated", type: "autonomous", model: { provider: "scripted", script } });
    const { code, stdout, stderr } = await commands.run(["run", "gated", "Work!"]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/\nfailed, gate_unsatisfied: /);
    expect(stderr.split("done-means-done failed on before_stop: it ended with exit code 7")).toHaveLength(2);
  });

  test("that fails ends with 1 and its error", async () => {
    const { code, stdout, stderr } = await commands.run(["run", "worker", '{"fail": "no luck"}']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/\nfailed: .*no luck/);
  });

  test("reads its parameters from a file, and prints one value with --json", async () => {
    const file = join(commands.root, "parameters.json");
    writeFileSync(file, '{"from": "a file"}');
    const run = await commands.json<Run>(["run", "worker", `@${file}`]);
    expect(run).toMatchObject({ status: "completed", result_data: { got: { from: "a file" } } });
  });

  test("takes a message or a JSON object from standard input", async () => {
    const got = async (input: string) =>
      JSON.parse((await commands.run(["run", "worker", "-"], {}, input)).stdout).got;
    expect(await got('{"a": 1}\n')).toEqual({ a: 1 });
    expect(await got("[x] done\nb=2\n")).toEqual({ message: "[x] done\nb=2" });
    expect((await commands.run(["run", "worker", "-"])).stderr).toContain("standard input is empty");
  });

  test("of a name that is also a file here is started by the coordinator, and an unknown one names the file", async () => {
    writeFileSync(join(commands.root, "worker"), "{}");
    expect((await commands.run(["run", "worker", "a=1"])).code).toBe(0);
    writeFileSync(join(commands.root, "helper.json"), "{}");
    const { code, stderr } = await commands.run(["run", "helper", "Hello"]);
    expect(code).toBe(1);
    expect(stderr).toContain('there is no agent "helper"');
    expect(stderr).toContain("For the file in this folder: tenterhook run ./helper.json");
  });

  test("continues after Ctrl-C, can be stopped, and can be retried", async () => {
    const waiting = commands.start(["run", "worker", '{"slow": true}']);
    const [, id = ""] = await waiting.printed(/^(run_\S+)[\s\S]*running/);
    const left = await waiting.end("SIGINT");
    expect(left.code).toBe(130);
    expect(left.stderr).toContain(`tenterhook runs stop ${id}`);
    expect(await commands.json<Run>(["runs", "show", id])).toMatchObject({ status: "running" });
    const stopping = await commands.json<Run>(["runs", "stop", id, "--reason", "enough"]);
    expect(["stopping", "stopped"]).toContain(stopping.status);
    await expect.poll(() => commands.get<Run>(`/runs/${id}`).then(({ status }) => status)).toBe("stopped");
    const retried = await commands.json<Run>(["runs", "retry", id]);
    expect(retried).toMatchObject({ agent_name: "worker", parameters: { slow: true } });
    await commands.run(["runs", "stop", retried.run_id]);
  });

  test("is retried with some of its parameters changed", async () => {
    const first = await commands.json<Run>(["run", "worker", '{"a": 1, "b": 2}']);
    const second = await commands.json<Run>(["runs", "retry", first.run_id, "b=3", '{"c": [4]}']);
    expect(second.parameters).toEqual({ a: 1, b: 3, c: [4] });
    const { stdout } = await commands.run(["runs", "show", second.run_id]);
    expect(stdout).toMatch(new RegExp(`retry of +${first.run_id}`));
    expect((await commands.run(["runs", "show", first.run_id, "b=3"])).stderr).toContain(
      'unexpected argument "b=3"',
    );
  });

  test("can be resumed in its session", async () => {
    const first = await commands.json<Run>(["run", "worker", "{}", "--session", "ours"]);
    expect(first.session_id).toBe("ours");
    const second = await commands.run(["run", "--resume", "ours", '{"again": true}']);
    expect(JSON.parse(second.stdout)).toEqual({ got: { again: true } });
    const third = await commands.run(["run", "--resume", "ours", "And then?"]);
    expect(JSON.parse(third.stdout)).toEqual({ got: { message: "And then?" } });
    const fourth = await commands.run(["run", "--resume", "ours", "again=2", "by=hand"]);
    expect(JSON.parse(fourth.stdout)).toEqual({ got: { again: 2, by: "hand" } });
    const { runs } = await commands.json<{ runs: RunSummary[] }>(["runs", "--session", "ours"]);
    expect(runs).toHaveLength(4);
    const listed = await commands.run(["run", "--resume", "our", "{}"]);
    expect(listed).toMatchObject({ code: 1, stderr: expect.stringContaining("Did you mean ours?") });
  });

  test("is listed and shown, with its events", async () => {
    const { run_id } = await commands.json<Run>(["run", "worker", '{"fail": "broken"}']);
    expect((await commands.run(["runs", "--status", "failed,stopped"])).stdout).toMatch(
      new RegExp(`^${run_id} +worker +failed .*broken`, "m"),
    );
    await expect
      .poll(() => commands.run(["runs", "--search", "BROK"]).then(({ stdout }) => stdout))
      .toContain(run_id);
    expect((await commands.run(["runs", "--search", "broken glass"])).stdout).toBe("No runs.\n");
    const shown = await commands.run(["runs", "show", run_id]);
    expect(shown.stdout).toMatch(new RegExp(`^${run_id}\nprogram_failed: .*\n.*broken`));
    const { stdout } = await commands.run(["runs", "events", run_id, "--json"]);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent);
    expect(events.map(({ number }) => number)).toEqual(events.map((_, index) => index + 1));
    expect(events.map(({ event_type }) => event_type)).toEqual(
      expect.arrayContaining(["run_created", "run_failed"]),
    );
    expect((await commands.run(["runs", "events", run_id])).stdout).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} {2}run_\S+ worker {2}run_created/,
    );
  });
});

describe("events", () => {
  test("are printed as they happen, with filters", async () => {
    const following = commands.start([
      "runs",
      "--follow",
      "--agent",
      "worker",
      "--type",
      "run_created,run_completed",
      "--json",
    ]);
    const all = commands.start(["runs", "--follow"]);
    // Runs that were started before the subscription are not reported.
    await expect
      .poll(async () => {
        await startWorker({});
        return [following.output !== "", all.output !== ""];
      })
      .toEqual([true, true]);
    const { run_id } = await startWorker({ last: true });
    await following.printed(new RegExp(`"run_completed".*${run_id}|${run_id}.*"run_completed"`));
    await all.printed(new RegExp(`${run_id}.* {2}run_completed`));
    const { code, stdout } = await following.end("SIGINT");
    expect(code).toBe(130);
    const types = stdout
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as RunEvent).event_type);
    expect(new Set(types)).toEqual(new Set(["run_created", "run_completed"]));
    await all.end("SIGINT");
  });

  test("have options that need --follow", async () => {
    const { stderr } = await commands.run(["runs", "--type", "run_created"]);
    expect(stderr).toContain("--type is for following events.\nAdd --follow.");
    expect((await commands.run(["runs", "show", "--follow"])).stderr).toContain(
      "--follow takes no subcommand",
    );
    expect((await commands.run(["runs", "--follow", "--limit", "1"])).stderr).toContain(
      "--limit is not for events",
    );
  });
});

describe("names of people", () => {
  test("are shown with what was started, stopped, retried and saved", async () => {
    const { token } = await commands.json<NewToken>([
      "tokens",
      "create",
      "--name",
      "ana",
      "--scope",
      "admin",
    ]);
    const first = await startWorker({ slow: true });
    await commands.run(["runs", "stop", first.run_id, "--token", token]);
    await expect.poll(() => commands.get<Run>(`/runs/${first.run_id}`)).toMatchObject({ status: "stopped" });
    const shown = (await commands.run(["runs", "show", first.run_id])).stdout;
    expect(shown).toMatch(new RegExp(`^ +started by +${USER}$`, "m"));
    expect(shown).toMatch(/^ +stopped by +ana, [0-9T:.-]+Z$/m);
    expect((await commands.run(["runs", "events", first.run_id])).stdout).toMatch(/run_stopping .*by: ana/);
    const again = await commands.json<Run>(["runs", "retry", first.run_id, "--token", token]);
    const retried = (await commands.run(["runs", "show", again.run_id])).stdout;
    expect(retried).toMatch(/^ +started by +ana$/m);
    expect(retried).toMatch(new RegExp(`^ +retry of +${first.run_id}$`, "m"));
    await commands.run(["runs", "stop", again.run_id]);
    expect((await commands.run(["agents"])).stdout).toMatch(new RegExp(`^worker .* ${USER}`, "m"));
  });
});

describe("runners", () => {
  test("are listed with their state, runs and tags", async () => {
    expect((await commands.run(["runners"])).stdout).toMatch(
      /^runner +name +state +runs +tags +seen\nrunner_\S+ +one +online +\d of 4 .* ago$/m,
    );
    expect(await commands.json(["runners", "list"])).toMatchObject({
      runners: [{ name: "one", concurrency: 4 }],
    });
  });

  test.each(["--tags=gpu", "--config=runner.json"])(
    "are not listed with %s, an option of start",
    async (option) => {
      const { code, stderr } = await commands.run(["runners", option]);
      expect(code).toBe(1);
      expect(stderr).toContain(
        `${option.split("=")[0]} is an option of a runner, and this lists the runners.`,
      );
      expect(stderr).toContain("tenterhook runners start");
    },
  );
});

describe("a hook", () => {
  test("is tried, and its exit code is what its answer would mean", async () => {
    writeFileSync(
      join(commands.root, "judge.mjs"),
      `export default ({ parameters }) => parameters.bad
        ? { action: "block", block_reason: "it is bad" }
        : { action: "continue", parameters: { ...parameters, judged: true } };`,
    );
    await put({ name: "judge", type: "procedural", module: join(commands.root, "judge.mjs") });
    const hooks = { on_run_start: { type: "agent", agent_name: "judge", on_error: "block" } };
    await put(program("judged", { hooks }));
    const tried = (...args: string[]) => commands.run(["try", "on_run_start", "--agent", "judged", ...args]);
    const named = { type: "agent", agent_name: "judge", on_error: "block" };
    expect((await commands.request("PUT", "/hooks/audit", named)).ok).toBe(true);
    const good = await tried("--input", '{"parameters": {"a": 1}}');
    expect(good.code).toBe(0);
    expect(good.stdout).toMatch(
      /^proceed\nThe run would start with the changed parameters\.\nparameters: \{"a":1\} → \{"a":1,"judged":true\}\njudge .* run_\S+\n$/,
    );
    const bad = await tried("--input", '{"parameters": {"bad": true}}');
    expect(bad).toMatchObject({ code: 2, stdout: expect.stringMatching(/^block: it is bad\n/) });
    const past = await commands.json<Run>(["run", "worker", '{"a": 7}']);
    const { stdout } = await tried("--run", past.run_id, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ input: { run_id: past.run_id, parameters: { a: 7 } } });
    expect(await commands.run(["try", "on_result", "--agent", "judged", "--input", "{}"])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the agent "judged" has no hook on_result'),
    });
    const byName = await commands.run([
      "try",
      "on_run_start",
      "--hook",
      "audit",
      "--input",
      '{"parameters": {"bad": true}}',
    ]);
    expect(byName).toMatchObject({ code: 2, stdout: expect.stringMatching(/^block: it is bad\n/) });
    expect(
      (await commands.run(["try", "on_run_start", "--hook", "audti", "--input", "{}"])).stderr,
    ).toContain("Did you mean audit?");
  });
});

describe("approvals", () => {
  beforeAll(async () => {
    writeFileSync(
      join(commands.root, "ask.mjs"),
      'export default () => ({ action: "ask", reason: "a person must see this" });',
    );
    const accepts = { type: "object", properties: { parameters: { type: "object" } } };
    await put({
      ...program("asker", { parameters_schema: accepts }),
      module: join(commands.root, "ask.mjs"),
    });
    await put(
      program("asked", {
        hooks: { on_run_start: { type: "agent", agent_name: "asker", on_error: "block" } },
      }),
    );
  });

  const pending = async () =>
    (await commands.get<{ approvals: Approval[] }>("/approvals?state=pending")).approvals;

  test("are listed, shown, and approved with an edited value", async () => {
    const run = await commands.json<Run>(["run", "asked", '{"amount": 1000}', "--detach"]);
    await expect.poll(pending).toHaveLength(1);
    const id = (await pending())[0]?.approval_id ?? "";
    expect((await commands.run(["approvals"])).stdout).toMatch(
      new RegExp(`^${id} +asked +asker +pending .*a person must see this$`, "m"),
    );
    expect((await commands.run(["approvals", "show", id])).stdout).toMatch(
      /asker asks: a person must see this[\s\S]*"amount": 1000/,
    );
    expect((await commands.run(["approvals", "approve", id, "--edit", '{"amount": 10}'])).stdout).toBe(
      `${id} approved\n`,
    );
    await expect
      .poll(() => commands.get<Run>(`/runs/${run.run_id}`))
      .toMatchObject({
        status: "completed",
        result_data: { got: { amount: 10 } },
        original_parameters: { amount: 1000 },
      });
    const again = await commands.run(["approvals", "reject", id]);
    expect(again.code).toBe(1);
    expect(again.stderr).toContain(`approved already, by ${USER}`);
    expect((await commands.run(["approvals", "show", id])).stdout).toMatch(
      new RegExp(`^Decided by ${USER} at [0-9T:.-]+Z\\.$`, "m"),
    );
    expect((await commands.run(["approvals", "--all"])).stdout).toContain(`approved by ${USER} `);
    expect((await commands.run(["runs", "show", run.run_id])).stdout).toContain(`approved by ${USER}, `);
  });

  test("cannot be decided by an agent", async () => {
    const { run_id } = await commands.json<Run>(["run", "asked", "--detach"]);
    await expect.poll(pending).toHaveLength(1);
    const id = (await pending())[0]?.approval_id ?? "";
    const refused = await commands.run(["approvals", "approve", id], { TENTERHOOK_AGENT: "asked" });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(
      "REFUSED: this runs inside an agent or a hook (TENTERHOOK_AGENT is set)",
    );
    await commands.run(["approvals", "reject", id, "--reason", "not today"]);
    await expect
      .poll(() => commands.get<Run>(`/runs/${run_id}`))
      .toMatchObject({ block_reason: "not today" });
  });
});

describe("tokens", () => {
  test("have a scope that limits access, and can be revoked", async () => {
    const made = await commands.json<NewToken>([
      "tokens",
      "create",
      "--name",
      "reader",
      "--scope",
      "viewer",
      "--expires",
      "1h",
    ]);
    expect((await commands.run(["runs", "--token", made.token])).code).toBe(0);
    const refused = await commands.run(["run", "worker", "{}"], { TENTERHOOK_TOKEN: made.token });
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/Forbidden: a token with the scope "viewer"/);
    const { tokens } = await commands.json<{ tokens: TokenRecord[] }>(["tokens"]);
    expect(tokens.map(({ name }) => name)).toContain("reader");
    expect((await commands.run(["tokens", "revoke", made.token_id])).stdout).toBe(
      `${made.token_id} revoked\n`,
    );
    await expect
      .poll(() => commands.run(["runs", "--token", made.token]).then(({ stderr }) => stderr))
      .toMatch(/Unauthorized: .*\nUse --token, or set TENTERHOOK_TOKEN/);
  });

  test("are revoked with the tokens created with them, which are counted", async () => {
    const create = (scope: string, ...more: string[]) =>
      commands.json<NewToken>(["tokens", "create", "--name", "n", "--scope", scope, ...more]);
    const made = await create("admin");
    const child = await create("runner", "--token", made.token, "--runner-name", "gpu-1", "--tag", "gpu,eu");
    expect(child).toMatchObject({ made_with: made.token_id, runner_tags: ["gpu", "eu"] });
    expect((await commands.run(["tokens"])).stdout).toMatch(
      new RegExp(`${child.token_id} +runner +token +n +gpu-1 \\(gpu,eu\\) +${made.token_id}`),
    );
    expect((await commands.run(["tokens", "revoke", made.token_id])).stdout).toBe(
      `${made.token_id} revoked, with 1 token created with it\n`,
    );
    const { tokens } = await commands.json<{ tokens: TokenRecord[] }>(["tokens"]);
    expect(tokens.map(({ token_id }) => token_id)).not.toContain(child.token_id);
  });

  test("are printed alone, so that they can be piped", async () => {
    const { stdout, stderr } = await commands.run(["tokens", "create", "--name", "r", "--scope", "runner"]);
    expect(stdout).toMatch(/^\S+\n$/);
    expect(stderr).toContain("it is not shown again");
  });

  test.each([
    [["--scope", "viewer"], "needs a --name"],
    [["--name", "x"], "needs a --scope"],
    [["--name", "x", "--scope", "root"], 'unknown scope "root"'],
    [
      ["--name", "x", "--scope", "viwer"],
      "Did you mean viewer? Known: admin, client, reviewer, runner, viewer.",
    ],
    [["--name", "x", "--scope", "viewer", "--tag", "gpu"], "are only for tokens with --scope runner"],
    [["--name", "x", "--scope", "viewer", "--expires", "soon"], '"soon" is not a time'],
  ])("need valid options: %j", async (args, message) => {
    expect((await commands.run(["tokens", "create", ...args])).stderr).toContain(message);
  });

  test("sign in by a link with the name of a person", async () => {
    const { stdout } = await commands.run(["tokens", "link", "--name", "ana"]);
    const { headers } = await fetch(stdout.trim(), { redirect: "manual" });
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const who = await fetch(new URL("/whoami", stdout.trim()), { headers: { cookie } });
    expect(await who.json()).toMatchObject({ name: "ana" });
    const { tokens } = await commands.json<{ tokens: TokenRecord[] }>(["tokens"]);
    expect(tokens).toContainEqual(expect.objectContaining({ kind: "session", name: "ana" }));
  });

  test("sign in by a link with a scope and a name in one step", async () => {
    const { stdout, stderr } = await commands.run(["tokens", "link", "--scope", "viewer", "--name", "ana"]);
    expect(stderr).toMatch(/^tenterhook: scope viewer; works once, until /);
    const { headers } = await fetch(stdout.trim(), { redirect: "manual" });
    const cookie = headers.get("set-cookie")?.split(";")[0] ?? "";
    const who = await fetch(new URL("/whoami", stdout.trim()), { headers: { cookie } });
    expect(await who.json()).toEqual({
      name: "ana",
      scope: "viewer",
      token_id: expect.stringMatching(/^tok_/),
    });
    const agent = new URL("/agents/worker", stdout.trim());
    expect((await fetch(agent, { headers: { cookie } })).status).toBe(200);
    const origin = { origin: agent.origin };
    expect((await fetch(agent, { method: "DELETE", headers: { cookie, ...origin } })).status).toBe(403);
    const viewer = await commands.json<NewToken>(["tokens", "create", "--name", "v", "--scope", "viewer"]);
    const beyond = await commands.run(["tokens", "link", "--scope", "admin", "--token", viewer.token]);
    expect(beyond.stderr).toContain('the scope "viewer" cannot give the scope "admin"');
    expect((await commands.run(["tokens", "link", "--scope", "viewr"])).stderr).toContain(
      "Did you mean viewer?",
    );
    expect((await commands.run(["tokens", "link", "--scope", "runner"])).stderr).toContain(
      "a link is for a person",
    );
  });

  test("refuse a name with a mark that reverses text, and name the mark", async () => {
    const { code, stderr } = await commands.run(["tokens", "link", "--name", "ana\u202e"]);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("U+202E") });
  });

  test("sign in by link", async () => {
    const { stdout } = await commands.run(["tokens", "link"]);
    expect((await fetch(stdout.trim(), { redirect: "manual" })).status).toBe(303);
  });
});

describe("the key that signs webhooks", () => {
  test("is shown, set from a file, rotated and retired, but never given on the command line", async () => {
    const key = async (...args: string[]) => {
      const { code, stdout, stderr } = await commands.run(["tokens", "webhook-key", ...args]);
      return { code, key: stdout.trim(), stderr };
    };
    const first = await key();
    expect(first).toMatchObject({ code: 0, key: expect.stringMatching(/^\S{43}$/), stderr: "" });
    expect(await key("set", "s3cret-on-the-command-line")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("@FILE"),
    });
    writeFileSync(join(commands.root, "key"), "a-key-of-ones-own-0123\n");
    const set = await key("set", `@${join(commands.root, "key")}`);
    expect(set).toMatchObject({ key: "a-key-of-ones-own-0123", stderr: expect.stringContaining("retire") });
    expect((await key("rotate")).stderr).toContain("Retire it first");
    expect(await key("retire")).toMatchObject({ key: "a-key-of-ones-own-0123", stderr: "" });
  });
});

describe("a refusal of the coordinator", () => {
  test.each([
    [["runs", "show", "nope"], 'Not found: there is no run "nope".'],
    [["run", "nope"], 'Unknown agent (agent_name): there is no agent "nope".\ntenterhook agents lists'],
    [["run", "wroker"], "Did you mean worker?"],
    [["run", "wroker", "a message"], "Did you mean worker?"],
    [["agents", "show", "worke"], "Did you mean worker?"],
    [["runs", "--agent", "wroker"], "Did you mean worker?"],
    [["runs", "--follow", "--agent", "wroker"], "Did you mean worker?"],
    [["runs", "--follow", "--type", "run_compleetd"], "Did you mean run_completed?"],
    [["runs", "--follow", "--type", "nonsense"], "The types are run_created, "],
    [["runs", "--status", "complete"], "Did you mean completed?"],
    [["runs", "show", "run_"], "Did you mean run_"],
    [["run", "worker", "{"], "the parameters: invalid JSON"],
    [["run", "worker", "[]"], "the parameters: not a JSON object"],
    [["runs", "--status", "gone"], '"gone" is none of pending, preparing, ready'],
    [["runs", "shwo"], "Did you mean show?"],
    [["runs", "show"], "Usage: tenterhook runs show ID"],
    [["runs", "--limit", "0"], "--limit must be a whole number of at least 1"],
    [["runs", "--url", "nonsense"], '"nonsense" is not a valid URL'],
    [["runs", "--url", "http://127.0.0.1:65534"], "cannot be reached: ECONNREFUSED"],
    [["runs", "--url", "http://192.0.2.1"], "no token for http://192.0.2.1"],
  ])("is printed with advice: %j", async (args, message) => {
    const { code, stdout, stderr } = await commands.run(args);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("internal error");
  });

  test.each([
    [{}, "--allow-private 127.0.0.1"],
    [{ headers: { authorization: "Bearer $".concat("{API_KEY}") } }, "--allow-variable API_KEY"],
  ])("names the option that allows it: an http hook with %j", async (more, option) => {
    const hook = { type: "http", url: "http://127.0.0.1:9/", on_error: "block", timeout_seconds: 5, ...more };
    expect((await put(program("calling", { hooks: { on_run_start: hook } }))).code).toBe(0);
    const { code, stderr } = await commands.run(["run", "calling"]);
    expect(code).toBe(1);
    // The reason, once.
    expect(stderr.split(option)).toHaveLength(2);
  });

  test("has its code and field in JSON", async () => {
    expect(await commands.json(["run", "nope"])).toMatchObject({
      error: { code: "unknown_agent", field: "agent_name", status: 422 },
    });
  });
});
