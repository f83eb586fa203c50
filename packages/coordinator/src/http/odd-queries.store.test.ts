import type { ProblemBody } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
let runId = "";
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
  runId = (await coordinator.start("echo")).run_id;
});
afterAll(() => coordinator.close());

const cursor = (...values: unknown[]) => Buffer.from(JSON.stringify(values)).toString("base64url");

const ODD = [
  "",
  "x",
  "-1",
  "0",
  "1.5",
  "1e308",
  "NaN",
  "2147483648",
  "9223372036854775808",
  "99999999999999999999999999",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59.999999999Z",
  "2026-01-01T00:00:00+23:59",
  "2026-02-30T00:00:00Z",
  "2026-11-15T24:00:00Z",
  "%00",
  "%ED%A0%80",
  "%F0%9F%98%80".repeat(40),
  "null",
  "true",
  "a,b,,c",
  "'; drop table runs; --",
  "%25_\\\\",
  cursor("x", "y"),
  cursor("0000-01-01 00:00:00+00", "y"),
  cursor("2026-99-99 99:99:99+99", "y"),
  cursor("2026-11-15 00:00:00+00", "\u0000"),
  cursor("infinity", "y"),
  cursor("now", "y"),
  cursor("\u0000"),
  cursor(1, 2),
  cursor(),
  cursor("2026-11-15 00:00:00+99:99", "y"),
];

const LISTS: Readonly<Record<string, readonly string[]>> = {
  "/runs": [
    "limit",
    "cursor",
    "id",
    "status",
    "kind",
    "agent",
    "session",
    "runner",
    "has_hooks",
    "from",
    "to",
    "search",
  ],
  "/sessions": ["limit", "cursor", "agent", "kind", "parent", "search"],
  "/approvals": ["limit", "cursor", "state", "status", "run", "run_id", "search"],
  "/agents": ["limit", "cursor"],
  "/hooks": ["limit", "cursor"],
  "/hook-agents": ["type", "mode"],
  "/runners": ["limit", "cursor"],
  "/tokens": ["limit", "cursor"],
  "/events/latest": ["limit"],
  "/runs/ID/events": ["limit", "after"],
  "/sessions/ID/result": ["wait"],
};

test.each(Object.entries(LISTS))("%s answers or refuses whatever its query holds", async (path, names) => {
  const wrong: string[] = [];
  for (const name of names) {
    for (const value of ODD) {
      const address = `${path.replace("ID", runId)}?${name}=${value}`;
      const { status } = await coordinator.admin.get<ProblemBody>(address);
      if (![200, 400, 404].includes(status)) wrong.push(`${status} ${address}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("a cursor that holds no time is refused as such", async () => {
  const { body } = await coordinator.admin.get<ProblemBody>(`/runs?cursor=${cursor("x", "y")}`);
  expect(body).toMatchObject({ status: 400, field: "cursor", detail: "this is not a cursor of this list" });
});

test("a value of a megabyte that does not fit is refused in a few words, and nothing of it is kept", async () => {
  await coordinator.save({
    name: "strict",
    type: "procedural",
    command: ["cat"],
    parameters_schema: { additionalProperties: { type: "string" } },
  });
  const parameters = Object.fromEntries(Array.from({ length: 50_000 }, (_, id) => [`name-${id}`, id]));
  const { status, body } = await coordinator.admin.post<ProblemBody>("/runs", {
    agent_name: "strict",
    parameters,
  });
  expect(status).toBe(422);
  expect(JSON.stringify(body).length).toBeLessThan(2_000);
});
