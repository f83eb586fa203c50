import type { LoginLink, NewToken, RevokedToken, TokensPage } from "@tenterhook/protocol/runs";
import {
  type ApiClient,
  EventReader,
  freshPostgres,
  RunningClock,
  TestRunner,
} from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { migrate } from "../database/migrate.ts";
import { readMigrations } from "../database/migrations.ts";
import { openServer } from "../database/server/server-database.ts";
import { PageSession } from "../testing/page-session.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { hashOf } from "./tokens.ts";

const make = async (client: ApiClient, more: object = {}) =>
  (await client.post<NewToken>("/tokens", { name: "made", scope: "admin", ...more })).body;
const status = async (client: ApiClient) => (await client.get("/whoami")).status;

describe.each(["embedded", "server"] as const)("what a token makes, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  let url: string | undefined;
  beforeAll(async () => {
    url = kind === "server" ? await freshPostgres() : undefined;
    coordinator = await TestCoordinator.open({ url });
    await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
  });
  afterAll(() => coordinator.close());
  afterEach(() => expect(coordinator.errors.splice(0)).toEqual([]));

  test("does not outlive it: a two-second token makes a session, and that a token, of two seconds", async () => {
    const bought = async () => {
      const short = await make(coordinator.admin, { expires_in_seconds: 2 });
      const session = await PageSession.byToken(coordinator.admin.as(short.token));
      const { body } = await session.post<NewToken>("/tokens", { name: "kept", scope: "admin" });
      return { short, session, made: body };
    };
    // On a machine that is busy with other things, two seconds may be over by then.
    let { short, session, made } = await bought();
    while (made.token === undefined) ({ short, session, made } = await bought());
    expect(session.maxAge).toBeLessThanOrEqual(2);
    expect(made.expires_at).toBe(short.expires_at);
    await expect.poll(() => session.status()).toBe(401);
    await expect.poll(() => status(coordinator.admin.as(made.token))).toBe(401);
  });

  test("ends when a maker expires, four levels up", async () => {
    const short = await make(coordinator.admin, { expires_in_seconds: 240 });
    const client = coordinator.admin.as(short.token);
    const session = await PageSession.byToken(client);
    expect(session.maxAge).toBeLessThanOrEqual(240);
    const second = (await session.post<NewToken>("/tokens", { name: "kept", scope: "admin" })).body;
    const third = await make(coordinator.admin.as(second.token), { expires_in_seconds: 3_600 });
    const link = (await coordinator.admin.as(third.token).post<LoginLink>("/login-links")).body;
    for (const { expires_at } of [second, third, link]) expect(expires_at).toBe(short.expires_at);
    const last = await PageSession.byLink(client, link.url);
    const all = () =>
      Promise.all([
        ...[status(client), session.status(), last.status()],
        ...[status(coordinator.admin.as(second.token)), status(coordinator.admin.as(third.token))],
      ]);
    expect(await all()).toEqual([200, 200, 200, 200, 200]);
    const expire = { name: "", text: "UPDATE tokens SET expires_at = now() WHERE id = $1" };
    await coordinator.served.coordinator.database.run(expire, [short.token_id]);
    await expect.poll(all).toEqual([401, 401, 401, 401, 401]);
    const { tokens } = (await coordinator.admin.get<TokensPage>("/tokens?limit=200")).body;
    const ids = tokens.map(({ token_id }) => token_id);
    for (const { token_id } of [short, second, third]) expect(ids).not.toContain(token_id);
  });

  test("ends at once when it is revoked, three levels deep, and the answer has the count", async () => {
    const first = await make(coordinator.admin);
    const second = await make(coordinator.admin.as(first.token));
    const third = await make(coordinator.admin.as(second.token), { scope: "viewer" });
    const beside = await make(coordinator.admin);
    const session = await PageSession.byToken(coordinator.admin.as(third.token));
    expect(second).toMatchObject({ made_with: first.token_id });
    const all = () =>
      Promise.all([
        ...[first, second, third, beside].map(({ token }) => status(coordinator.admin.as(token))),
        session.status(),
      ]);
    // Every one of them is remembered by now.
    expect(await all()).toEqual([200, 200, 200, 200, 200]);
    const { body } = await coordinator.admin.delete<RevokedToken>(`/tokens/${first.token_id}`);
    expect(body).toEqual({ token_id: first.token_id, also: { tokens: 2, sessions: 1 } });
    expect(await all()).toEqual([401, 401, 401, 200, 401]);
  });

  test("ends with the session that made it, when the person logs out", async () => {
    const made = await make(coordinator.admin);
    const session = await PageSession.byToken(coordinator.admin.as(made.token));
    const child = (await session.post<NewToken>("/tokens", { name: "of a session", scope: "viewer" })).body;
    const link = (await session.post<LoginLink>("/login-links")).body;
    const other = await PageSession.byLink(coordinator.admin, link.url);
    expect([await status(coordinator.admin.as(child.token)), await other.status()]).toEqual([200, 200]);
    expect((await session.post("/logout")).status).toBe(204);
    expect([await status(coordinator.admin.as(child.token)), await other.status()]).toEqual([401, 401]);
    expect(await status(coordinator.admin.as(made.token))).toBe(200);
  });

  test("is a link that does not open the page once its maker was revoked", async () => {
    const made = await make(coordinator.admin);
    const link = (await coordinator.admin.as(made.token).post<LoginLink>("/login-links")).body;
    await coordinator.admin.delete(`/tokens/${made.token_id}`);
    expect(await (await PageSession.byLink(coordinator.admin, link.url)).cookie).toBe("");
  });

  test("does not count even if it was stored while its maker was being revoked", async () => {
    const made = await make(coordinator.admin);
    await coordinator.admin.delete(`/tokens/${made.token_id}`);
    const secret = `tenterhook_late_${kind}`;
    await coordinator.served.coordinator.database.run(
      {
        name: "",
        text: "INSERT INTO tokens (id, kind, name, scope, hash, made_with) VALUES ($1, 'token', 'late', 'admin', $2, $3)",
      },
      [`tok_late`, hashOf(secret), made.token_id],
    );
    expect(await status(coordinator.admin.as(secret))).toBe(401);
    const { tokens } = (await coordinator.admin.get<TokensPage>("/tokens?limit=200")).body;
    expect(tokens.map(({ token_id }) => token_id)).not.toContain("tok_late");
  });

  const follow = (client: ApiClient) =>
    EventReader.open(`${client.url}/events`, { authorization: `Bearer ${client.token}` });

  test("keeps no stream and no waiting request open: they end when an ancestor is revoked", async () => {
    const top = await make(coordinator.admin);
    const client = coordinator.admin.as((await make(coordinator.admin.as(top.token))).token);
    const runner = await TestRunner.register(
      coordinator.admin.as((await make(client, { scope: "runner" })).token),
    );
    const stream = (await follow(client)).take(1_000);
    const { session_id, run_id } = await coordinator.start("echo");
    const held = await runner.claim();
    expect(held.run_id).toBe(run_id);
    const waits = [
      runner.client.get(`/runner/runs?runner_id=${runner.id}&wait=30`),
      client.get(`/sessions/${session_id}/result?wait=30`),
    ];
    await expect
      .poll(async () => (await coordinator.admin.get<string>("/metrics")).body)
      .toContain("tenterhook_waiting_requests 2\n");
    const since = new RunningClock();
    await coordinator.admin.delete(`/tokens/${top.token_id}`);
    expect((await Promise.all(waits)).map((answer) => answer.status)).toEqual([401, 401]);
    await stream;
    // The requests would have waited for half a minute.
    expect(since.elapsedMs).toBeLessThan(15_000);
    // What comes now goes to another runner.
    const next = await coordinator.start("echo");
    const other = await coordinator.runner();
    const run = await other.claim();
    expect(run.run_id).toBe(next.run_id);
    await other.complete(run);
  });

  test("keeps no stream and no waiting request open when it expires", async () => {
    const made = await make(coordinator.admin, { expires_in_seconds: 600 });
    const client = coordinator.admin.as(made.token);
    const stream = (await follow(client)).take(1_000);
    const runner = await TestRunner.register(client);
    const waiting = client.get(`/runner/runs?runner_id=${runner.id}&wait=30`);
    const expire = { name: "", text: "UPDATE tokens SET expires_at = now() WHERE id = $1" };
    await coordinator.served.coordinator.database.run(expire, [made.token_id]);
    expect((await waiting).status).toBe(401);
    await stream;
  });

  if (kind === "embedded") return;

  test("ends on other coordinators within two seconds, also what is open there", async () => {
    const other = await TestCoordinator.open({ url });
    const top = await make(coordinator.admin);
    const made = await make(coordinator.admin.as(top.token));
    const there = other.admin.as(made.token);
    const stream = (await follow(there)).take(1_000);
    const runner = await TestRunner.register(there);
    const waiting = there.get(`/runner/runs?runner_id=${runner.id}&wait=30`);
    const alone = new RunningClock();
    expect(await status(there)).toBe(200);
    const roundTripMs = alone.elapsedMs;
    const since = new RunningClock();
    await coordinator.admin.delete(`/tokens/${top.token_id}`);
    await expect.poll(() => status(there)).toBe(401);
    expect((await waiting).status).toBe(401);
    await stream;
    // The requests that show it take longer on a busy machine.
    expect(since.elapsedMs).toBeLessThan(2_000 + 10 * roundTripMs);
    await other.close();
  });
});

test("the data folder's token is the root: revoking it, which must be confirmed, ends all others, and the next start makes another", async () => {
  const url = await freshPostgres();
  const coordinator = await TestCoordinator.open({ url });
  const session = await PageSession.byLink(coordinator.admin, await coordinator.served.loginUrl());
  const made = await make(coordinator.admin);
  const { tokens } = (await coordinator.admin.get<TokensPage>("/tokens")).body;
  const root = tokens.find(({ made_with }) => made_with === null);
  const refused = await coordinator.admin.delete<{ code: string }>(`/tokens/${root?.token_id}`);
  expect([refused.status, refused.body.code, await session.status()]).toEqual([409, "conflict", 200]);
  const { body } = await coordinator.admin.delete<RevokedToken>(
    `/tokens/${root?.token_id}?even_last_admin=true`,
  );
  expect(body.also).toEqual({ tokens: 1, sessions: 1 });
  expect([
    await status(coordinator.admin),
    await status(coordinator.admin.as(made.token)),
    await session.status(),
  ]).toEqual([401, 401, 401]);
  await expect(coordinator.served.loginUrl()).rejects.toThrow("revoked");
  await coordinator.served.close();
  const again = await TestCoordinator.open({ url, folder: coordinator.folder });
  expect(await status(again.admin)).toBe(200);
  expect(await status(again.admin.as(made.token))).toBe(401);
  await again.close();
});

test("tokens of a database at the first migration keep working, and what they made ends with them", async () => {
  const url = await freshPostgres();
  const old = await openServer(url);
  const [first] = readMigrations();
  if (first !== undefined) await migrate(old, [first]);
  const insert = {
    name: "",
    text: `INSERT INTO tokens (id, kind, name, scope, hash, made_with, expires_at) VALUES
      ('tok_a', 'token', 'old', 'admin', $1, NULL, NULL),
      ('tok_s', 'session', 'page', 'admin', $2, 'tok_a', now() + interval '30 days'),
      ('tok_x', 'token', 'expired', 'admin', $3, NULL, now() - interval '1 second'),
      ('tok_y', 'session', 'page', 'admin', $4, 'tok_x', now() + interval '30 days')`,
  };
  await old.run(insert, ["old_token", "old_session", "old_expired", "old_orphan"].map(hashOf));
  await old.run({
    name: "",
    text: "INSERT INTO runners (id, name, concurrency) VALUES ('runner_old', 'old', 1)",
  });
  await old.close();
  const coordinator = await TestCoordinator.open({ url });
  const client = coordinator.admin.as("old_token");
  const name = `tenterhook_${new URL(coordinator.served.url).port}`;
  const page = async (secret: string) =>
    (await coordinator.admin.get("/whoami", { token: null, headers: { cookie: `${name}=${secret}` } }))
      .status;
  expect(await status(client)).toBe(200);
  expect([await page("old_session"), await page("old_orphan")]).toEqual([200, 401]);
  await client.delete("/tokens/tok_a");
  expect([await status(client), await page("old_session")]).toEqual([401, 401]);
  await coordinator.close();
});
