import type { AgentRecord, BlueprintInput, HooksPage, NamedHook } from "@tenterhook/protocol/runs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: this is how a hook names a variable.
const headers = {
  authorization: "Bearer s3cret-literal",
  "x-named": "Bearer ${API_KEY}",
  "x-plain": "${API_KEY}",
  "x-mixed": "s3cret-prefix-${API_KEY}-s3cret-suffix",
  "x-scheme": "Basic",
  "x-odd": "${not a name s3cret}",
};
const shown = {
  authorization: "[hidden]",
  "x-named": "Bearer ${API_KEY}",
  "x-plain": "${API_KEY}",
  "x-mixed": "[hidden]${API_KEY}[hidden]",
  "x-scheme": "[hidden]",
  "x-odd": "[hidden]",
};
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: this is how a hook names a variable.

const hook = { type: "http", url: "https://hooks.example.com/", headers, on_error: "continue" } as const;
const blueprint: BlueprintInput = {
  name: "hooked",
  type: "procedural",
  command: ["cat"],
  hooks: { on_run_error: hook, on_timeout: { $ref: "named" } },
};

let coordinator: TestCoordinator;
beforeAll(async () => {
  coordinator = await TestCoordinator.open();
  await coordinator.admin.put("/hooks/named", hook);
  await coordinator.save(blueprint);
});
afterAll(() => coordinator.close());

const secret = "s3cret";
const etagOf = (answer: { headers: Headers }) => answer.headers.get("etag") ?? "";

test.each(["viewer", "client"] as const)(
  "a %s is shown references in headers, and no literal values",
  async (scope) => {
    const client = await coordinator.client(scope);
    const agent = await client.get<AgentRecord>("/agents/hooked");
    expect(agent.body.blueprint.hooks.on_run_error).toMatchObject({ headers: shown });
    const named = await client.get<NamedHook>("/hooks/named");
    expect(named.body.definition).toMatchObject({ headers: shown });
    const list = await client.get<HooksPage>("/hooks");
    expect(JSON.stringify([agent.body, named.body, list.body])).not.toContain(secret);
  },
);

test("an administrator is shown the values, and can save what it was shown", async () => {
  const { body, ...answer } = await coordinator.admin.get<AgentRecord>("/agents/hooked");
  expect(body.blueprint.hooks.on_run_error).toMatchObject({ headers });
  const saved = await coordinator.admin.put("/agents/hooked", body.blueprint, {
    headers: { "if-match": etagOf(answer) },
  });
  expect(saved.status).toBe(200);
});

test("what was read with hidden values has an etag of its own, and cannot be saved over the secret", async () => {
  const viewer = await coordinator.client("viewer");
  const masked = await viewer.get<AgentRecord>("/agents/hooked");
  const real = await coordinator.admin.get<AgentRecord>("/agents/hooked");
  expect(etagOf(masked)).not.toBe(etagOf(real));
  const known = { headers: { "if-none-match": etagOf(masked) } };
  expect((await viewer.get("/agents/hooked", known)).status).toBe(304);
  const refused = await coordinator.admin.put("/agents/hooked", masked.body.blueprint);
  expect(refused.body).toMatchObject({
    status: 422,
    code: "bad_blueprint",
    field: expect.stringMatching(/^hooks\.on_run_error\.headers\.x-/),
  });
  const { definition } = (await viewer.get<NamedHook>("/hooks/named")).body;
  expect((await coordinator.admin.put("/hooks/named", definition)).body).toMatchObject({
    code: "bad_hook",
    field: expect.stringMatching(/^headers\.x-/),
  });
  expect((await coordinator.admin.get<AgentRecord>("/agents/hooked")).body).toEqual(real.body);
});

test("a runner, a run and its events have nothing of the values", async () => {
  const { run_id } = await coordinator.start("hooked");
  const runner = await coordinator.runner();
  const run = await runner.claim();
  expect(run.blueprint.hooks).toEqual({});
  await runner.complete(run);
  const all = JSON.stringify([run, await coordinator.run(run_id), await coordinator.events(run_id)]);
  expect(all).not.toContain(secret);
});
