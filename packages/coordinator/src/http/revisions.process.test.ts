import type { BlueprintInput, NewToken, RevisionRecord, RevisionsPage } from "@tenterhook/protocol/runs";
import { type ApiClient, freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

describe.each(["embedded", "server"] as const)("the revisions of an agent, over an %s database", (kind) => {
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
