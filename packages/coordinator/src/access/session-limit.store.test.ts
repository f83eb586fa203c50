import type { LoginLink, NewToken } from "@tenterhook/protocol/runs";
import { type ApiClient, EventReader, freshPostgres } from "@tenterhook/test-support";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { PageSession } from "../testing/page-session.ts";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { hashOf } from "./tokens.ts";

const LIMIT = 200;
const anonymousRate = { burst: 1e9, perSecond: 1e9 };

async function signIn(client: ApiClient, times: number): Promise<PageSession[]> {
  const sessions: PageSession[] = [];
  for (let count = 0; count < times; count++) sessions.push(await PageSession.byToken(client));
  return sessions;
}

/** The numbers of the sessions that have ended. */
async function endedOf(sessions: readonly PageSession[]): Promise<number[]> {
  const statuses = await Promise.all(sessions.map((session) => session.status()));
  expect(new Set([...statuses, 200, 401])).toEqual(new Set([200, 401]));
  return statuses.flatMap((status, index) => (status === 401 ? [index] : []));
}

async function invite(session: PageSession): Promise<string> {
  return (await session.post<LoginLink>("/login-links")).body.url;
}

describe.each(["embedded", "server"] as const)("the sessions of a token, over an %s database", (kind) => {
  const coordinators: TestCoordinator[] = [];
  let coordinator: TestCoordinator;
  beforeAll(async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    coordinator = await TestCoordinator.open({ url, anonymousRate });
    coordinators.push(coordinator);
    // Only a server's database can have several coordinators.
    if (kind === "server") coordinators.push(await TestCoordinator.open({ url, anonymousRate }));
  });
  afterAll(async () => {
    for (const each of coordinators) await each.close();
  });
  afterEach(() => {
    for (const each of coordinators) expect(each.errors.splice(0)).toEqual([]);
  });

  const run = <R>(text: string, values: readonly string[]) =>
    coordinator.served.coordinator.database.run<R>({ name: "", text }, values);
  const newToken = async (name = "shared") => {
    const { body } = await coordinator.admin.post<NewToken>("/tokens", { name, scope: "viewer" });
    return { client: coordinator.admin.as(body.token), id: body.token_id };
  };
  /** Stores sessions that the one with this id made, or that made each other. Returns the id of the last one. */
  const store = async (count: number, maker: string, is: "beside" | "chained"): Promise<string> => {
    const before = is === "beside" ? "$1" : `CASE n WHEN 1 THEN $1 ELSE $1 || '_' || (n - 1) END`;
    await run(
      `INSERT INTO tokens (id, kind, name, scope, hash, made_with, expires_at)
        SELECT $1 || '_' || n, 'session', 'stored', 'viewer', $1 || '_' || n, ${before}, now() + interval '1 day'
        FROM generate_series(1, ${count}) AS n`,
      [maker],
    );
    return `${maker}_${count}`;
  };
  const usesStored = (name: string, count: number) =>
    expect
      .poll(() =>
        run(
          "SELECT count(*)::int AS count FROM tokens WHERE kind = 'session' AND used_at IS NOT NULL AND name = $1",
          [name],
        ),
      )
      .toEqual([{ count }]);

  test("are at most 200: one more ends the one that was not used for the longest time, and no other token's", async () => {
    const other = await signIn((await newToken()).client, 3);
    const { client } = await newToken("often");
    const sessions = await signIn(client, 1);
    const stream = await EventReader.open(`${client.url}/events`, { cookie: sessions[0]?.cookie ?? "" });
    const streamed = stream.take(1_000);
    await usesStored("often", 1);
    sessions.push(...(await signIn(client, LIMIT - 1)));
    expect(await sessions[1]?.status()).toBe(200);
    await usesStored("often", 2);
    sessions.push(...(await signIn(client, 3)));
    expect(await endedOf(sessions)).toEqual([0, 2, 3]);
    await streamed;
    expect(await endedOf(other)).toEqual([]);
    expect((await client.get("/whoami")).status).toBe(200);
  });

  test("are counted with those that sessions made, and one that made the new one, or one in use, stays", async () => {
    const { client, id } = await newToken("hosts");
    const [host, idle] = await signIn(client, 2);
    if (host === undefined || idle === undefined) throw new Error("no sessions");
    const links = [await invite(host), await invite(idle)] as const;
    await usesStored("hosts", 2);
    await run(
      "UPDATE tokens SET created_at = now() - interval '1 hour', used_at = NULL WHERE kind = 'session' AND made_with = $1",
      [id],
    );
    await store(LIMIT - 3, id, "beside");
    // Newer than all of these.
    const guest = await PageSession.byLink(client, links[1]);
    const invited = await PageSession.byLink(client, links[0]);
    expect(await endedOf([host, idle, guest, invited])).toEqual([]);
    const ended =
      "SELECT name FROM tokens WHERE made_with = $1 AND kind = 'session' AND revoked_at IS NOT NULL";
    expect(await run(ended, [id])).toEqual([{ name: "stored" }]);
  });

  test("are refused when 200 of them have made each other, because to end one would end the new one", async () => {
    const { client, id } = await newToken();
    const beside = await PageSession.byToken(client);
    const maker = await store(LIMIT - 1, id, "chained");
    const code = `code_of_${maker}`;
    await run(
      `INSERT INTO tokens (id, kind, name, scope, hash, made_with, expires_at)
        VALUES ($1, 'code', 'stored', 'viewer', $2, $3, now() + interval '1 day')`,
      [`tok_${code}`, hashOf(code), maker],
    );
    const newest = await PageSession.byLink(client, `${client.url}/login?code=${code}`);
    expect(await endedOf([newest, beside])).toEqual([1]);
    const { pathname, search } = new URL(await invite(newest));
    const refused = await client.get<{ detail: string }>(pathname + search, { token: null });
    expect([refused.status, refused.body.detail]).toEqual([
      403,
      expect.stringContaining("200 sessions that have made each other"),
    ]);
    expect(await newest.status()).toBe(200);
    // A new one from the token ends the newest of them, which none of the others needs.
    const again = await PageSession.byToken(client);
    expect(await endedOf([newest, again])).toEqual([0]);
  });

  test("are exactly 200 after forty people signed in at the same time, on every coordinator", async () => {
    const { client, id } = await newToken();
    await store(LIMIT - 5, id, "beside");
    const clients = coordinators.map(({ admin }) => admin.as(client.token));
    const sessions = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        PageSession.byToken(clients[index % clients.length] ?? client),
      ),
    );
    expect(await endedOf(sessions)).toEqual([]);
    const current = "SELECT count(*)::int AS count FROM tokens WHERE made_with = $1 AND revoked_at IS NULL";
    expect(await run(current, [id])).toEqual([{ count: LIMIT }]);
  });
});
