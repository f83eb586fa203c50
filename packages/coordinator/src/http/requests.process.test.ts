import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { ProblemBody } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({
    url: await freshPostgres(),
    maxBodyBytes: 10_000,
    maxWaiting: 1,
  });
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
});
afterAll(() => coordinator.close());

const post = (body: string, headers: Record<string, string> = {}) =>
  coordinator.admin.post<ProblemBody>("/runs", body, { headers });

const runWith = (parameters: string) => `{"agent_name":"echo","parameters":${parameters}}`;

test("a refusal is a problem document", async () => {
  const { status, headers, body } = await post("{");
  expect(status).toBe(400);
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(body).toEqual({
    type: "urn:tenterhook:problem:bad_request",
    title: "Bad request",
    status: 400,
    code: "bad_request",
    detail: expect.stringMatching(/^the body is not JSON: /),
  });
});

test.each([
  ["an array", "[]"],
  ["text", '"run it"'],
  ["nothing", ""],
  ["half a character", Buffer.from([0x22, 0xe2, 0x22]).toString("latin1")],
])("a body that is %s is refused", async (_, body) => {
  expect(await post(body)).toMatchObject({ status: 400, body: { code: "bad_request" } });
});

test("an unknown field is refused by its name, with the word that was meant", async () => {
  expect((await post('{"agent_name":"echo","parametres":{}}')).body).toMatchObject({
    code: "bad_request",
    field: "parametres",
    hint: "Did you mean parameters?",
  });
});

test("a body must be declared as JSON", async () => {
  expect((await post(runWith("{}"), { "content-type": "text/plain" })).body).toMatchObject({
    status: 415,
    code: "unsupported_media_type",
  });
  expect((await post(runWith("{}"), { "content-type": "application/json; charset=utf-8" })).status).toBe(201);
});

test("a body may be as large and as deep as the limits allow, and no larger or deeper", async () => {
  const large = (size: number) => runWith(`{"a":"${"x".repeat(size)}"}`);
  expect((await post(large(9_900))).status).toBe(201);
  expect((await post(large(10_000))).body).toMatchObject({ status: 413, code: "too_large" });
  const deep = (levels: number) => runWith(`{"a":${"[".repeat(levels)}${"]".repeat(levels)}}`);
  expect((await post(deep(222))).status).toBe(201);
  expect((await post(deep(223))).body).toMatchObject({ status: 413, code: "too_large" });
  expect((await post(deep(4_000))).body).toMatchObject({ code: "too_large" });
});

test("a body without a length is cut off when it is too large", async () => {
  const sent = httpRequest(`${coordinator.served.url}/runs`, {
    method: "POST",
    headers: { authorization: `Bearer ${coordinator.admin.token}`, "content-type": "application/json" },
  });
  sent.on("error", () => {});
  const answered = once(sent, "response") as Promise<[IncomingMessage]>;
  sent.write(runWith(`{"a":"${"x".repeat(20_000)}`));
  const [response] = await answered;
  expect(response.statusCode).toBe(413);
  expect(response.headers.connection).toBe("close");
  sent.destroy();
});

test.each([
  ["a NUL", '{"a":"\\u0000"}'],
  ["a NUL in a name", '{"\\u0000":1}'],
  ["half a surrogate pair", '{"a":"\\ud800"}'],
])("what no database can keep, such as %s, is refused and not an error here", async (_, parameters) => {
  expect((await post(runWith(parameters))).body).toMatchObject({ code: "bad_request" });
  expect(coordinator.errors).toEqual([]);
});

const cursorOf = (...values: readonly string[]) => Buffer.from(JSON.stringify(values)).toString("base64url");

test.each([
  ["a cursor that holds no date", `/runs?cursor=${cursorOf("yesterday", "run")}`, "cursor"],
  [
    "a cursor with a date that does not exist",
    `/tokens?cursor=${cursorOf("2026-13-45 00:00:00+00", "x")}`,
    "cursor",
  ],
  ["the year 0", "/runs?from=0000-01-01T00:00:00Z", "from"],
  ["a year before 1 by its offset", "/runs?to=0001-01-01T00:00:00%2B23:59", "to"],
  ["a number beyond what is stored", "/runs/x/events?after=9007199254740991", "after"],
])("%s is refused, at its field", async (_, path, field) => {
  expect((await coordinator.admin.get(path)).body).toMatchObject({ status: 400, code: "bad_request", field });
  expect(coordinator.errors).toEqual([]);
});

test.each(["events", "conversation"])("a number of %s beyond what is stored is refused", async (what) => {
  const lease_token = "00000000-0000-4000-8000-000000000000";
  const content =
    what === "events" ? [{ event_type: "log", data: { text: "x" } }] : [{ type: "messages", messages: [] }];
  for (const first of [2 ** 31, Number.MAX_SAFE_INTEGER]) {
    const report = { lease_token, first, [what === "events" ? "events" : "entries"]: content };
    const { body } = await coordinator.admin.post(`/runner/runs/x/${what}`, report);
    expect(body).toMatchObject({ status: 400, field: "first" });
  }
  expect(coordinator.errors).toEqual([]);
});

test("a refusal does not send back what was sent", async () => {
  const { body } = await coordinator.admin.post("/runs", { agent_name: "echo", ["x".repeat(900)]: 1 });
  expect(body).toMatchObject({ status: 400, code: "bad_request" });
  expect(JSON.stringify(body)).not.toContain("x".repeat(300));
});

test("names that mean something to JavaScript are only names", async () => {
  const { body } = await coordinator.admin.post("/runs", runWith('{"__proto__":{"x":1},"constructor":2}'));
  expect(JSON.stringify(body)).toContain('"constructor":2');
});

test("an unknown path is not found, and a method that a path does not have is not allowed", async () => {
  expect((await coordinator.admin.get("/nowhere")).body).toMatchObject({ status: 404, code: "not_found" });
  const { status, headers, body } = await coordinator.admin.delete("/runs");
  expect({ status, allow: headers.get("allow"), body }).toMatchObject({
    status: 405,
    allow: "POST, GET",
    body: { code: "method_not_allowed" },
  });
  expect((await coordinator.admin.call("HEAD", "/runs")).status).toBe(200);
  expect((await coordinator.admin.call("OPTIONS", "/runs")).status).toBe(405);
});

test.each([
  ["GET //[ HTTP/1.1\r\nHost: localhost\r\n\r\n"],
  ["GET /runs HTTP/1.1\r\nHost: local host\r\n\r\n"],
  ["GET /runs HTTP/1.1\r\nHost: a/b\r\n\r\n"],
  ["nonsense\r\n\r\n"],
])("what is no request, as %j, is refused, and other requests are served", async (text) => {
  const socket = connect(Number(new URL(coordinator.served.url).port), "127.0.0.1");
  socket.write(text);
  const [bytes] = (await once(socket, "data")) as [Buffer];
  expect(bytes.toString()).toMatch(/^HTTP\/1\.1 4\d\d /);
  socket.destroy();
  expect((await coordinator.admin.get("/healthz")).status).toBe(200);
});

test("headers beyond the limit are refused", async () => {
  const { status } = await coordinator.admin.get("/healthz", { headers: { "x-long": "x".repeat(20_000) } });
  expect(status).toBe(431);
});

test("a request that cannot be held, because too many are, gets Retry-After", async () => {
  const runner = await coordinator.runner({ tags: ["none"] });
  const gone = new AbortController();
  const waiting = runner.next(30, 0, gone.signal).catch(() => "gone");
  await expect
    .poll(async () => (await coordinator.admin.get<string>("/metrics")).body)
    .toContain("tenterhook_waiting_requests 1");
  const { status, headers, body } = await coordinator.admin.get(
    `/runner/runs?runner_id=${runner.id}&wait=1&slots=0`,
  );
  expect({ status, body }).toMatchObject({ status: 503, body: { code: "unavailable" } });
  expect(headers.get("retry-after")).toBe("1");
  const started = await coordinator.admin.post("/runs", { agent_name: "echo", execution_mode: "sync" });
  expect(started).toMatchObject({ status: 202, body: { status: "pending" } });
  gone.abort();
  expect(await waiting).toBe("gone");
});

test("an unexpected error is answered with an id, reported with it, and hidden from the client", async () => {
  const alter = (change: string) =>
    coordinator.served.coordinator.database.run({ name: "", text: `ALTER TABLE agents ${change}` });
  await alter("ADD CONSTRAINT secret CHECK (name <> 'unexpected')");
  const agent = { type: "procedural", command: ["cat"] };
  const { status, body } = await coordinator.admin.put<ProblemBody>("/agents/unexpected", agent);
  await alter("DROP CONSTRAINT secret");
  expect({ status, body }).toMatchObject({
    status: 500,
    body: { code: "internal", error_id: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
  expect(JSON.stringify(body)).not.toContain("secret");
  expect(coordinator.errors.splice(0)).toEqual([expect.objectContaining({ name: "SqlError" })]);
});
