import type { AgentRecord, AgentsPage, BlueprintInput, HookAgents } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
});
afterAll(() => coordinator.close());

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const onStart = (agent_name: string) => ({ on_run_start: { type: "agent", agent_name, on_error: "block" } });

test("an agent is created, read, changed as a new revision, and deleted", async () => {
  const { name: _, ...unnamed } = echo;
  const created = await coordinator.admin.put<AgentRecord>("/agents/echo", unnamed);
  expect(created).toMatchObject({ status: 201, body: { revision: 1, blueprint: { name: "echo" } } });
  const etag = created.headers.get("etag") ?? "";
  expect(created.body.etag).toBe(etag);

  const same = await coordinator.admin.put<AgentRecord>("/agents/echo", created.body.blueprint);
  expect(same).toMatchObject({ status: 200, body: { revision: 1 } });
  const changed = await coordinator.admin.put<AgentRecord>("/agents/echo", {
    ...echo,
    description: "says it again",
  });
  expect(changed).toMatchObject({ status: 200, body: { revision: 2 } });
  expect(changed.headers.get("etag")).not.toBe(etag);

  expect((await coordinator.admin.delete("/agents/echo")).status).toBe(204);
  expect((await coordinator.admin.get("/agents/echo")).body).toMatchObject({
    status: 404,
    code: "not_found",
  });
  expect((await coordinator.admin.delete("/agents/echo")).status).toBe(404);
  expect((await coordinator.admin.put<AgentRecord>("/agents/echo", echo)).body.revision).toBe(3);
});

test("a request with If-Match changes nothing that another request has changed", async () => {
  const put = (headers: Record<string, string>, description: string) =>
    coordinator.admin.put<AgentRecord>(
      "/agents/shared",
      { ...echo, name: "shared", description },
      { headers },
    );
  expect((await put({ "if-match": "*" }, "0")).body).toMatchObject({ code: "precondition_failed" });
  const first = await put({ "if-none-match": "*" }, "1");
  expect(first.status).toBe(201);
  expect((await put({ "if-none-match": "*" }, "2")).body).toMatchObject({
    status: 412,
    code: "precondition_failed",
  });
  const etag = first.headers.get("etag") ?? "";
  const [a, b] = await Promise.all([put({ "if-match": etag }, "a"), put({ "if-match": etag }, "b")]);
  expect([a.status, b.status].sort()).toEqual([200, 412]);
  expect((await put({ "if-match": "*" }, "3")).status).toBe(200);
  expect((await put({ "if-match": etag, "if-none-match": "*" }, "4")).status).toBe(400);
  const headers = { "if-match": etag };
  expect((await coordinator.admin.delete("/agents/shared", { headers })).status).toBe(412);
  expect((await put(headers, "5")).body).toMatchObject({
    detail: 'the agent "shared" has been changed since you read it',
  });
  expect((await coordinator.admin.delete("/agents/shared")).status).toBe(204);
  expect((await put(headers, "6")).body).toMatchObject({
    ...{ code: "precondition_failed", detail: 'the agent "shared" has been deleted since you read it' },
  });
});

test("an agent that the client already has is not sent again", async () => {
  await coordinator.save(echo);
  const { headers } = await coordinator.admin.get("/agents/echo");
  const etag = headers.get("etag") ?? "";
  const again = await coordinator.admin.get("/agents/echo", {
    headers: { "if-none-match": `"x", W/${etag}` },
  });
  expect(again).toMatchObject({ status: 304, body: "" });
});

test.each([
  [{ type: "procedural", command: ["cat"], model: "m" }, "model"],
  [{ type: "procedural", command: ["cat"], module: "./a.mjs" }, "command"],
  [
    { type: "procedural", command: ["cat"], parameters_schema: { type: "nothing" } },
    "parameters_schema.type",
  ],
  [
    { type: "procedural", command: ["cat"], output_schema: { properties: { a: { pattern: "(?=a)" } } } },
    "output_schema.properties.a.pattern",
  ],
  [
    { type: "procedural", command: ["cat"], hooks: { on_run_start: { type: "agent" } } },
    "hooks.on_run_start.agent_name",
  ],
  [{ type: "procedural", command: ["cat"], hooks: onStart("nobody") }, "hooks.on_run_start.agent_name"],
  [
    {
      type: "procedural",
      command: ["cat"],
      hooks: { ...onStart("none-either"), on_result: { $ref: "none" } },
    },
    "hooks.on_result.$ref",
  ],
  [{ name: "other", type: "procedural", command: ["cat"] }, "name"],
  [{ type: "procedural", command: ["cat"], comand: [] }, "comand"],
])("the blueprint %j is refused for its field %s", async (blueprint, field) => {
  expect((await coordinator.admin.put("/agents/wrong", blueprint)).body).toMatchObject({
    status: 422,
    code: "bad_blueprint",
    field: expect.stringContaining(field),
  });
});

test.each([
  [{ type: "agent", agent_name: "a" }, 'on_error: required, one of "block", "continue", "ignore"'],
  [{ agent_name: "a", on_error: "block" }, 'type: required, one of "agent", "http"'],
  [{ type: "script" }, "type"],
  [{ type: "http", on_error: "block" }, "url: required"],
  [{ type: "agent", agent_name: "a", on_error: "retry" }, "on_error"],
  [{ $ref: 7 }, "$ref"],
])("a hook %j is refused at its own field: %s", async (hook, problem) => {
  const [field = "", what] = problem.split(": ");
  const hooks = { on_run_start: hook };
  const { body } = await coordinator.admin.put("/agents/wrong", { ...echo, name: "wrong", hooks });
  expect(body).toMatchObject({ code: "bad_blueprint", field: `hooks.on_run_start.${field}` });
  if (what !== undefined) expect(body).toHaveProperty("detail", expect.stringContaining(`.${problem}`));
  if ("$ref" in hook) return;
  const named = await coordinator.admin.put("/hooks/wrong", hook);
  expect(named.body).toMatchObject({ code: "bad_hook", field });
  if (what !== undefined) expect(named.body).toHaveProperty("detail", expect.stringContaining(problem));
});

test("a hook that is no object is refused with what it should be", async () => {
  const { body } = await coordinator.admin.put("/agents/wrong", {
    ...echo,
    name: "wrong",
    hooks: { on_result: [] },
  });
  expect(body).toMatchObject({
    field: "hooks.on_result",
    detail: expect.stringContaining("expected object"),
  });
});

test("a name that cannot be part of an address is refused", async () => {
  expect((await coordinator.admin.put("/agents/..%2Fx", echo)).body).toMatchObject({ code: "bad_request" });
});

test("an agent that executes hooks is not deleted, and the error names their agents", async () => {
  await coordinator.save({ ...echo, name: "guard" }, {
    ...echo,
    name: "guarded",
    hooks: onStart("guard"),
  } as BlueprintInput);
  await coordinator.admin.put("/hooks/gate", { type: "agent", agent_name: "guard", on_error: "block" });
  expect((await coordinator.admin.get<AgentRecord>("/agents/guard")).body.used_by).toEqual({
    agents: ["guarded"],
    hooks: ["gate"],
  });
  expect((await coordinator.admin.delete("/agents/guard")).body).toMatchObject({
    status: 409,
    code: "conflict",
    detail: expect.stringContaining("guarded, hook gate"),
  });
});

test("the list has every agent once, by name", async () => {
  await coordinator.save(...["zoe", "abe", "kim"].map((name) => ({ ...echo, name })));
  const names: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? "" : `&cursor=${cursor}`;
    const page: AgentsPage = (await coordinator.admin.get<AgentsPage>(`/agents?limit=2${query}`)).body;
    names.push(...page.agents.map(({ name }) => name));
    cursor = page.next_cursor;
  } while (cursor !== null);
  expect(names).toEqual([...names].sort());
  expect(names).toEqual(expect.arrayContaining(["abe", "kim", "zoe"]));
});

test("the coordinator lists the agents that can execute a type of hook, and why the others cannot", async () => {
  await coordinator.save({
    ...echo,
    name: "narrow",
    parameters_schema: { type: "object", required: ["tool_name"] },
  });
  const { agents } = (await coordinator.admin.get<HookAgents>("/hook-agents?type=on_run_start")).body;
  const of = (wanted: string) => agents.find(({ name }) => name === wanted);
  expect(of("guard")).toMatchObject({ fits: true, problem: null });
  expect(of("narrow")).toMatchObject({ fits: false, problem: expect.stringContaining("tool_name") });
  expect(of("guarded")).toMatchObject({ fits: false, problem: expect.stringContaining("hooks of its own") });
  const forTools = (await coordinator.admin.get<HookAgents>("/hook-agents?type=on_tool_call")).body.agents;
  expect(forTools.find(({ name }) => name === "narrow")).toMatchObject({ fits: true });
  const forEnds = async (query = "") =>
    (await coordinator.admin.get<HookAgents>(`/hook-agents?type=on_run_finish${query}`)).body.agents.find(
      ({ name }) => name === "guarded",
    );
  expect(await forEnds()).toMatchObject({ fits: true });
  expect(await forEnds("&mode=sync")).toMatchObject({ problem: expect.stringContaining("hooks of its own") });
  expect((await coordinator.admin.get("/hook-agents?type=on_monday")).status).toBe(400);
});
