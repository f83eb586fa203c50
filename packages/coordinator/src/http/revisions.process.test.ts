import type {
  BlueprintInput,
  HookRevisionRecord,
  NamedHook,
  NewToken,
  RevisionRecord,
  RevisionsPage,
} from "@tenterhook/protocol/runs";
import { type ApiClient, freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("revisions, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let ana: ApiClient;
  beforeAll(async () => {
    coordinator = await TestCoordinator.open(kind === "server" ? { url: await freshPostgres() } : {});
    const { body } = await coordinator.admin.post<NewToken>("/tokens", { name: "ana", scope: "admin" });
    ana = coordinator.admin.as(body.token);
  });
  afterAll(() => coordinator.close());

  const list = async (name: string, query = "") =>
    (await coordinator.admin.get<RevisionsPage>(`/agents/${name}/revisions${query}`)).body;
  const read = (name: string, revision: number | string, client = coordinator.admin) =>
    client.get<RevisionRecord>(`/agents/${name}/revisions/${revision}`);

  test("are listed from the newest, with who saved them and when, page by page", async () => {
    await ana.put("/agents/paged", { ...echo, name: "paged", description: "one" });
    await coordinator.admin.put("/agents/paged", { ...echo, name: "paged", description: "two" });
    await ana.put("/agents/paged", { ...echo, name: "paged", description: "three" });
    const first = await list("paged", "?limit=2");
    expect(first.revisions).toEqual([
      { revision: 3, saved_by: "ana", saved_at: expect.stringMatching(/Z$/) },
      { revision: 2, saved_by: expect.not.stringMatching(/^ana$/), saved_at: expect.stringMatching(/Z$/) },
    ]);
    const second = await list("paged", `?limit=2&cursor=${first.next_cursor}`);
    expect(second).toEqual({
      revisions: [{ revision: 1, saved_by: "ana", saved_at: expect.any(String) }],
      next_cursor: null,
    });
  });

  test("can be read as they were, also when the agent was deleted", async () => {
    await coordinator.save({ ...echo, name: "gone", description: "as it was" });
    await coordinator.admin.delete("/agents/gone");
    expect((await list("gone")).revisions).toHaveLength(1);
    expect(await read("gone", 1)).toMatchObject({
      status: 200,
      body: { revision: 1, blueprint: { name: "gone", description: "as it was", command: ["cat"] } },
    });
  });

  test("hide the values of headers from those who may not define agents", async () => {
    const headers = { authorization: "Bearer secret-of-old" };
    const hook = { type: "http", url: "https://example.com/", headers, on_error: "block" } as const;
    await coordinator.save({ ...echo, name: "secretive", hooks: { on_run_start: hook } });
    const viewer = await coordinator.client("viewer");
    const seen = await read("secretive", 1, viewer);
    expect(seen.status).toBe(200);
    expect(JSON.stringify(seen.body)).not.toContain("secret-of-old");
    expect(JSON.stringify((await read("secretive", 1)).body)).toContain("secret-of-old");
  });

  const hook = { type: "agent", agent_name: "echo", on_error: "block" } as const;
  const listHook = async (name: string) =>
    (await coordinator.admin.get<RevisionsPage>(`/hooks/${name}/revisions`)).body.revisions;
  const readHook = (name: string, revision: number | string, client = coordinator.admin) =>
    client.get<HookRevisionRecord>(`/hooks/${name}/revisions/${revision}`);

  test("of a named hook are stored with who saved them, and counted on after it was deleted", async () => {
    await coordinator.save(echo);
    await ana.put("/hooks/gate", hook);
    await coordinator.admin.put("/hooks/gate", { ...hook, timeout_seconds: 5 });
    expect(await listHook("gate")).toEqual([
      { revision: 2, saved_by: expect.not.stringMatching(/^ana$/), saved_at: expect.stringMatching(/Z$/) },
      { revision: 1, saved_by: "ana", saved_at: expect.stringMatching(/Z$/) },
    ]);
    expect((await readHook("gate", 1)).body.definition).toEqual(hook);
    expect((await readHook("gate", 2)).body.definition).toEqual({ ...hook, timeout_seconds: 5 });
    expect((await coordinator.admin.get<NamedHook>("/hooks/gate")).body.revision).toBe(2);
    await coordinator.admin.delete("/hooks/gate");
    expect(await listHook("gate")).toHaveLength(2);
    await ana.put("/hooks/gate", hook);
    expect((await listHook("gate")).map(({ revision }) => revision)).toEqual([3, 2, 1]);
  });

  test("of a named hook that is saved as it was are not made", async () => {
    await coordinator.save(echo);
    await ana.put("/hooks/same", hook);
    const { body: before } = await coordinator.admin.get<NamedHook>("/hooks/same");
    expect((await coordinator.admin.put("/hooks/same", hook)).status).toBe(200);
    expect((await coordinator.admin.get("/hooks/same")).body).toEqual(before);
    expect(await listHook("same")).toHaveLength(1);
  });

  test("of a named hook are not made by a save that is refused", async () => {
    await coordinator.save(echo);
    await ana.put("/hooks/firm", hook);
    await coordinator.save({ ...echo, name: "user", hooks: { on_run_start: { $ref: "firm" } } });
    expect((await ana.put("/hooks/firm", { ...hook, mode: "async" })).status).toBe(422);
    expect((await ana.put("/hooks/firm", { ...hook, agent_name: "nobody" })).status).toBe(422);
    expect(await listHook("firm")).toHaveLength(1);
  });

  test("of a named hook hide the values of headers, and those that do not exist are reported", async () => {
    const headers = { authorization: "Bearer secret-of-hook" };
    await ana.put("/hooks/remote", { type: "http", url: "https://example.com/", headers, on_error: "block" });
    const viewer = await coordinator.client("viewer");
    expect(JSON.stringify((await readHook("remote", 1, viewer)).body)).not.toContain("secret-of-hook");
    expect(JSON.stringify((await readHook("remote", 1)).body)).toContain("secret-of-hook");
    expect(await readHook("remote", 2)).toMatchObject({
      status: 404,
      body: { detail: 'the hook named "remote" has no revision 2' },
    });
    expect((await coordinator.admin.get("/hooks/unknown/revisions")).status).toBe(404);
  });

  test("that do not exist are reported by their number, and a wrong cursor is refused", async () => {
    await coordinator.save({ ...echo, name: "short" });
    expect(await read("short", 2)).toMatchObject({
      status: 404,
      body: { code: "not_found", detail: 'the agent "short" has no revision 2' },
    });
    for (const revision of ["0", "-1", "1.5", "9999999999", "x"]) {
      expect((await read("short", revision)).status, revision).toBe(400);
    }
    expect((await coordinator.admin.get("/agents/unknown/revisions")).status).toBe(404);
    const cursor = Buffer.from('["1; drop"]').toString("base64url");
    expect((await coordinator.admin.get(`/agents/short/revisions?cursor=${cursor}`)).body).toMatchObject({
      code: "bad_request",
      field: "cursor",
    });
  });
});
