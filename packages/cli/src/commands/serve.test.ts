import { writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { Run, RunEvent } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Fleet, type Service } from "../testing/fleet.ts";

const fleet = new Fleet();
let coordinator: Service;
let url: string;

beforeAll(async () => {
  const names = ["--allow-host", "one.example,two.example", "--allow-host", "three.example"];
  coordinator = fleet.start(["serve", "--port", "0", "--json", ...names]);
  url = (await coordinator.said(/"url":"([^"]+)"/))[1] ?? "";
  writeFileSync(join(fleet.root, "echo.mjs"), "export default (parameters) => parameters;");
  const blueprint = { name: "echo", type: "procedural", module: "./echo.mjs", tags: ["here"] };
  writeFileSync(join(fleet.root, "echo.json"), JSON.stringify(blueprint));
  await fleet.run(["agents", "put", "echo.json"]);
}, 60_000);
afterAll(() => fleet.close());

describe("tenterhook serve", () => {
  test("prints no link that lets anybody in where no person reads it", () => {
    expect(coordinator.output).not.toContain("code=");
  });

  test("answers to the names that it was given, and to no others", async () => {
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

  test("names the option that would allow a host name that it refuses", async () => {
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
    const other = new Fleet();
    const { code, stderr } = await other.run(["serve", ...args]);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(stderr).not.toContain("internal error");
    await other.close();
  });

  test("says so when its port is taken", async () => {
    const other = new Fleet();
    const { code, stderr } = await other.run(["serve", "--port", new URL(url).port]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/port \d+ is in use\.\n.*--port/);
    await other.close();
  });
});

test("a run that is waited for while no runner is connected says so, and how to start one", async () => {
  const waiting = fleet.start(["run-agent", "echo", "{}", "--wait"]);
  await waiting.said(
    /no runner is connected, so the run waits\. Start one with: tenterhook runner --data \S+ --tags here\n/,
  );
  const [, id = ""] = await waiting.said(/^(run_\S+)/);
  await fleet.run(["runs", "stop", id]);
  expect((await waiting.ran).code).toBe(2);
});

describe("tenterhook runner", () => {
  test("is what its configuration says, unless an option says otherwise", async () => {
    const config = join(fleet.root, "runner.json");
    writeFileSync(config, JSON.stringify({ name: "from-the-file", tags: ["here"], concurrency: 3 }));
    const runner = fleet.start(["runner", "--config", config, "--concurrency", "2"]);
    await runner.said(/from-the-file is runner_\S+ at \S+, and takes 2 at a time/);
    const { result_data } = await fleet.json<Run>(["run-agent", "echo", '{"a": 1}', "--wait"]);
    expect(result_data).toEqual({ a: 1 });
    const { code } = await runner.end("SIGTERM");
    expect(code).toBe(0);
    expect(runner.output).toMatch(/ended\n$/);
  });

  test("takes its token from a file, and says when it is refused", async () => {
    const made = await fleet.run(["token", "create", "--name", "r", "--scope", "runner"]);
    const file = join(fleet.root, "runner-token");
    writeFileSync(file, made.stdout);
    const runner = fleet.start(["runner", "--url", url, "--token-file", file]);
    await runner.said(/is runner_\S+ at/);
    await runner.end("SIGTERM");
    const refused = await fleet.run(["runner", "--url", url, "--token", "wrong"]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/tenterhook runner: .*token/);
    expect(refused.stderr).not.toContain("internal error");
  });

  test.each([
    [["--token", "a", "--token-file", "b"], "exclude each other"],
    [["--config", "nowhere.json"], "nowhere.json cannot be read"],
    [["--concurrency", "many"], '--concurrency must be a whole number of at least 1, not "many"'],
  ])("refuses %j", async (args, message) => {
    const { code, stderr } = await fleet.run(["runner", ...args]);
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
        url.pathname = "/nowhere";
      },
      /there is no database "nowhere" at/,
    ],
    [
      "an address that is none",
      (url) => {
        url.host = "";
        url.protocol = "mysql";
      },
      /The address of the database is malformed/,
    ],
  ])(
    "%s is told in one line, and ends the command",
    async (_, spoil, message) => {
      const url = new URL(await freshPostgres());
      spoil(url);
      const fleet = new Fleet();
      onTestFinished(() => fleet.close());
      const { code, stderr } = await fleet.run(["serve", "--port", "0"], { DATABASE_URL: url.href });
      expect(code).toBe(1);
      expect(stderr).toMatch(message);
      expect(stderr.trim().split("\n")).toHaveLength(1);
      expect(stderr).not.toContain("pass-of-mine");
    },
    60_000,
  );

  test("two coordinators share the work: what is started at one is carried out by a runner of the other", async () => {
    const env = { DATABASE_URL: await freshPostgres() };
    const [one, other] = [new Fleet(), new Fleet()];
    onTestFinished(async () => void (await Promise.all([one.close(), other.close()])));
    await Promise.all(
      [one, other].map((each) => each.start(["serve", "--port", "0"], env).said(/on a server/)),
    );
    writeFileSync(join(one.root, "echo.mjs"), "export default (parameters) => parameters;");
    writeFileSync(
      join(other.root, "echo.json"),
      JSON.stringify({ name: "echo", type: "procedural", module: "./echo.mjs" }),
    );
    await other.run(["agents", "put", "echo.json"]);
    await one.start(["runner"]).said(/is runner_/);
    const run = await other.json<Run>(["run-agent", "echo", '{"shared": true}', "--wait"]);
    expect(run).toMatchObject({ status: "completed", result_data: { shared: true } });
  }, 60_000);
});

// Last, because it ends the coordinator that the others use.
describe("when the coordinator is killed and started again", () => {
  let waiting: Service;

  test("events go on where they were: none is missed, none comes twice", async () => {
    const following = fleet.start(["events", "--follow", "--json"]);
    waiting = fleet.start(["run-agent", "echo", '{"patient": true}', "--wait"]);
    await waiting.said(/waiting for a runner/);
    const start = () => fleet.json<Run>(["run-agent", "echo"]);
    const heard = () => start().then(() => following.output);
    await expect.poll(heard, { timeout: 15_000 }).not.toBe("");
    await coordinator.end("SIGKILL");
    await Promise.all([following.said(/the connection is lost/), waiting.said(/the coordinator is away/)]);
    coordinator = fleet.start(["serve", "--port", new URL(url).port]);
    await coordinator.said(/coordinator +http/);
    const { run_id } = await start();
    await following.said(/connected again/);
    await following.said(new RegExp(run_id));
    const { stdout } = await following.end("SIGINT");
    const told = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as RunEvent);
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);
    expect(told.at(-1)).toMatchObject({ run_id, number: 1 });
  }, 60_000);

  test("whoever waits for a run goes on waiting, and gets its result", async () => {
    const runner = fleet.start(["runner", "--tags", "here"]);
    const [, id = ""] = await waiting.said(/^(run_\S+)/);
    await runner.said(new RegExp(`${id} completed`));
    const ran = await waiting.ran;
    expect(ran.stderr).toContain("the coordinator is back");
    expect(JSON.parse(ran.stdout)).toEqual({ patient: true });
    expect(ran.code).toBe(0);
    await runner.end("SIGTERM");
  }, 30_000);
});
