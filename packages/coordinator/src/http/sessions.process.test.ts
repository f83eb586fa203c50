import type {
  BlueprintInput,
  Run,
  SessionDetail,
  SessionResult,
  SessionsPage,
} from "@tenterhook/protocol/runs";
import { freshPostgres, type TestRunner } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
let runner: TestRunner;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
  runner = await coordinator.runner();
  await coordinator.save(echo, {
    ...echo,
    name: "first",
    hooks: { on_run_finish: { type: "agent", agent_name: "echo", on_error: "continue" } },
  });
});
afterAll(() => coordinator.close());

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };
const result = (id: string, wait = 0) =>
  coordinator.admin.get<SessionResult>(`/sessions/${id}/result?wait=${wait}`);

test("a session is resumed with its own agent, and its latest result is what one waits for", async () => {
  const { session_id } = await coordinator.start("echo", { n: 1 });
  expect((await result(session_id)).status).toBe(202);
  const waiting = result(session_id, 10);
  await runner.complete(await runner.claim(), { result_text: "one" });
  expect(await waiting).toMatchObject({ status: 200, body: { result_text: "one", status: "completed" } });

  const resumed = await coordinator.admin.post<Run>(`/sessions/${session_id}/resume`, {
    parameters: { n: 2 },
  });
  expect(resumed).toMatchObject({ status: 201, body: { session_id, agent_name: "echo" } });
  expect((await coordinator.admin.post(`/sessions/${session_id}/resume`)).body).toMatchObject({
    code: "session_busy",
  });
  await runner.complete(await runner.claim(), { result_text: "two" });
  expect((await result(session_id)).body).toMatchObject({
    run_id: resumed.body.run_id,
    result_text: "two",
  });
  const detail = (await coordinator.admin.get<SessionDetail>(`/sessions/${session_id}`)).body;
  expect(detail).toMatchObject({ run_count: 2, last_status: "completed", active_run_id: null });
  expect(detail.runs.map(({ run_id }) => run_id)[0]).toBe(resumed.body.run_id);
});

test("resuming may wait for the end", async () => {
  const { session_id } = await coordinator.start("echo");
  await runner.complete(await runner.claim());
  const answer = coordinator.admin.post<Run>(`/sessions/${session_id}/resume`, { execution_mode: "sync" });
  await runner.complete(await runner.claim(), { result_text: "ok" });
  expect(await answer).toMatchObject({ status: 201, body: { status: "completed", result_text: "ok" } });
});

test("a session that does not exist is not found", async () => {
  for (const path of ["", "/result"]) {
    expect((await coordinator.admin.get(`/sessions/ses_none${path}`)).body).toMatchObject({
      code: "not_found",
    });
  }
  expect((await coordinator.admin.post("/sessions/ses_none/resume")).body).toMatchObject({
    code: "not_found",
  });
});

test("what a finish hook starts is a child of the session", async () => {
  const { session_id } = await coordinator.start("first");
  await runner.complete(await runner.claim());
  const next = await runner.claim();
  expect(next).toMatchObject({ kind: "chained", agent_name: "echo", parent_session_id: session_id });
  await runner.complete(next);
  const { children } = (await coordinator.admin.get<SessionDetail>(`/sessions/${session_id}`)).body;
  expect(children).toMatchObject([
    { session_id: next.session_id, parent_session_id: session_id, parent_link: "chained", run_count: 1 },
  ]);
});

test("the end of an async_callback run resumes its parent", async () => {
  const parent = await coordinator.start("echo");
  await runner.complete(await runner.claim());
  const child = await coordinator.start(
    "echo",
    {},
    { parent_session_id: parent.session_id, execution_mode: "async_callback" },
  );
  await runner.complete(await runner.claim(), { result_text: "found" });
  const callback = await runner.claim();
  expect(callback).toMatchObject({
    kind: "callback",
    session_id: parent.session_id,
    parameters: { callback: { status: "completed", result_text: "found" } },
  });
  await runner.complete(callback);
  const detail = async (id: string) => (await coordinator.admin.get<SessionDetail>(`/sessions/${id}`)).body;
  expect(await detail(parent.session_id)).toMatchObject({ parent_link: null, child_count: 1 });
  expect(await detail(child.session_id)).toMatchObject({ parent_link: "callback", child_count: 0 });
});

test("the list has every session once, the newest first, and is filtered", async () => {
  const page = async (query: string) =>
    (await coordinator.admin.get<SessionsPage>(`/sessions?${query}`)).body;
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const next: SessionsPage = await page(`limit=2${cursor === null ? "" : `&cursor=${cursor}`}`);
    seen.push(...next.sessions.map(({ session_id }) => session_id));
    cursor = next.next_cursor;
  } while (cursor !== null);
  const all = (await page("limit=200")).sessions;
  expect(seen).toEqual(all.map(({ session_id }) => session_id));
  const times = all.map(({ created_at }) => created_at);
  expect(times).toEqual([...times].sort().reverse());
  expect((await page("agent=first")).sessions).toHaveLength(1);
  const [child] = all.filter(({ parent_session_id }) => parent_session_id !== null);
  const roots = (await page("parent=none&limit=200")).sessions.map(({ session_id }) => session_id);
  expect(roots).not.toContain(child?.session_id);
  expect((await page(`parent=${child?.parent_session_id}`)).sessions).toHaveLength(1);
  expect((await page(`search=${child?.session_id}`)).sessions).toHaveLength(1);
  expect((await page("kind=hook")).sessions).toHaveLength(0);
});
