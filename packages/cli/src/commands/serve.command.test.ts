import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Run, RunEvent } from "@tenterhook/protocol/runs";
import { freshPostgres, restartPort } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RunningCommands, type Service } from "../testing/running-commands.ts";

const commands = new RunningCommands();
let coordinator: Service;
let url: string;

beforeAll(async () => {
  const names = ["--allow-host", "one.example,two.example", "--allow-host", "three.example"];
  coordinator = commands.start(["serve", "--port", String(await restartPort()), "--json", ...names]);
  url = (await coordinator.printed(/"url":"([^"]+)"/))[1] ?? "";
  writeFileSync(join(commands.root, "echo.mjs"), "export default (parameters) => parameters;");
  const blueprint = { name: "echo", type: "procedural", module: "./echo.mjs", tags: ["here"] };
  writeFileSync(join(commands.root, "echo.json"), JSON.stringify(blueprint));
  await commands.run(["agents", "put", "echo.json"]);
});
afterAll(() => commands.close());

describe("tenterhook serve", () => {
  test("prints no sign-in link without a terminal", () => {
    expect(coordinator.output).not.toContain("code=");
  });

  test("accepts only the given host names", async () => {
    const { port } = new URL(url);
    const status = (host: string) =>
      new Promise((resolve, reject) => {
        request({ port, host: "127.0.0.1", path: "/healthz", headers: { host } }, (answer) =>
          resolve(answer.resume().statusCode),
        )
          .once("error", reject)
          .end();
      });
    expect(await Promise.all(["two.example", "three.example", "evil.example"].map(status))).toEqual([
      200, 200, 403,
    ]);
  });

  test("names the option that allows a refused host name", async () => {
    const refused = await new Promise<string>((resolve, reject) => {
      const { port } = new URL(url);
      request({ port, host: "127.0.0.1", path: "/healthz", headers: { host: "evil.example" } }, (answer) =>
        resolve(text(answer)),
      )
        .once("error", reject)
        .end();
    });
    expect(refused).toContain("--allow-host evil.example");
  });

  test.each([
    [["--port", "http"], "--port must be a whole number"],
    [["--allow-variable", "NOT_SET_ANYWHERE"], "NOT_SET_ANYWHERE is not set"],
  ])("refuses %j", async (args, message) => {
    const other = new RunningCommands();
    const { code, stderr } = await other.run(["serve", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("internal error");
    await other.close();
  });

  test("reports that its port is in use", async () => {
    const other = new RunningCommands();
    const { code, stderr } = await other.run(["serve", "--port", new URL(url).port]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/port \d+ is in use\.\n.*--port/);
    await other.close();
  });
});

test("a run without a runner shows how to start one", async () => {
  const waiting = commands.start(["run", "echo", "{}"]);
  await waiting.printed(
    /no runner is connected, so the run waits\. Start one with: tenterhook runners start --data \S+ --tags here\n/,
  );
  const [, id = ""] = await waiting.printed(/^(run_\S+)/);
  await commands.run(["runs", "stop", id]);
  expect((await waiting.ran).code).toBe(2);
});

describe("tenterhook runners start", () => {
  test("uses its configuration, overridden by options", async () => {
    const config = join(commands.root, "runner.json");
    writeFileSync(config, JSON.stringify({ name: "from-the-file", tags: ["here"], concurrency: 3 }));
    const runner = commands.start(["runners", "start", "--config", config, "--concurrency", "2"]);
    await runner.printed(/from-the-file is runner_\S+ at \S+, and takes 2 at a time/);
    const { result_data } = await commands.json<Run>(["run", "echo", '{"a": 1}']);
    expect(result_data).toEqual({ a: 1 });
    const { code } = await runner.end("SIGTERM");
    expect(code).toBe(0);
    expect(runner.output).toMatch(/ended\n$/);
  });

  test("reads its token from a file, and reports a refusal", async () => {
    const made = await commands.run(["tokens", "create", "--name", "r", "--scope", "runner"]);
    const file = join(commands.root, "runner-token");
    writeFileSync(file, made.stdout);
    const runner = commands.start(["runners", "start", "--url", url, "--token-file", file]);
    await runner.printed(/is runner_\S+ at/);
    await runner.end("SIGTERM");
    const refused = await commands.run(["runners", "start", "--url", url, "--token", "wrong"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/tenterhook runners: .*token/);
    expect(refused.stderr).not.toContain("internal error");
  });

  test.each([
    [["--token", "a", "--token-file", "b"], "mutually exclusive"],
    [["--config", "missing.json"], "missing.json cannot be read"],
    [["--concurrency", "many"], '--concurrency must be a whole number of at least 1, not "many"'],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await commands.run(["runners", "start", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
  });
});

describe("over a PostgreSQL server", () => {
  test.each<[string, (url: URL) => void, RegExp]>([
    [
      "a wrong password",
      (url) => {
        url.password = "pass-of-mine";
      },
      /the password of the user ".+" is wrong at/,
    ],
    [
      "an unknown database",
      (url) => {
        url.pathname = "/missing";
      },
      /there is no database "missing" at/,
    ],
    [
      "a malformed address",
      (url) => {
        url.host = "";
        url.protocol = "mysql";
      },
      /The address of the database is malformed/,
    ],
  ])("reports %s in one line and ends", async (_, damage, message) => {
    const url = new URL(await freshPostgres());
    damage(url);
    const commands = new RunningCommands();
    onTestFinished(() => commands.close());
    const { code, stderr } = await commands.run(["serve", "--port", "0"], { DATABASE_URL: url.href });
    expect(code).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr.trim().split("\n")).toHaveLength(1);
    expect(stderr).not.toContain("pass-of-mine");
  });

  test("two coordinators share a database: a run started at one is executed by a runner of the other", async () => {
    const env = { DATABASE_URL: await freshPostgres() };
    const [one, other] = [new RunningCommands(), new RunningCommands()];
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
    await Promise.all(
      [one, other].map((each) => each.start(["serve", "--port", "0"], env).printed(/on a server/)),
    );
    writeFileSync(join(one.root, "echo.mjs"), "export default (parameters) => parameters;");
    writeFileSync(
      join(other.root, "echo.json"),
      JSON.stringify({ name: "echo", type: "procedural", module: "./echo.mjs" }),
    );
    await other.run(["agents", "put", "echo.json"]);
    await one.start(["runners", "start"]).printed(/is runner_/);
    const run = await other.json<Run>(["run", "echo", '{"shared": true}']);
    expect(run).toMatchObject({ status: "completed", result_data: { shared: true } });
  });
});

// Last, because it ends the coordinator of the other tests.
describe("after the coordinator was killed and restarted", () => {
  let waiting: Service;

  test("events continue without gaps or duplicates", async () => {
    const following = commands.start(["runs", "--follow", "--json"]);
    waiting = commands.start(["run", "echo", '{"patient": true}']);
    await waiting.printed(/waiting for a runner/);
    const start = () => commands.json<Run>(["run", "echo", "--detach"]);
    const output = () => start().then(() => following.output);
    await expect.poll(output).not.toBe("");
    await coordinator.end("SIGKILL");
    await Promise.all([
      following.printed(/connection lost/),
      waiting.printed(/connection to the coordinator lost/),
    ]);
    coordinator = commands.start(["serve", "--port", new URL(url).port]);
    await coordinator.printed(/coordinator +http/);
    const { run_id } = await start();
    await following.printed(/connected again/);
    await following.printed(new RegExp(run_id));
    const { stdout } = await following.end("SIGINT");
    const received = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent);
    expect(new Set(received.map(({ id }) => id)).size).toBe(received.length);
    expect(received.at(-1)).toMatchObject({ run_id, number: 1 });
  });

  test("a command that waits for a run continues and gets the result", async () => {
    const runner = commands.start(["runners", "start", "--tags", "here"]);
    const [, id = ""] = await waiting.printed(/^(run_\S+)/);
    await runner.printed(new RegExp(`${id} completed`));
    const ran = await waiting.ran;
    expect(ran.stderr).toContain("connected again");
    expect(JSON.parse(ran.stdout)).toEqual({ patient: true });
    expect(ran.code).toBe(0);
    await runner.end("SIGTERM");
  });
});
