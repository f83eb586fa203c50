import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type NewToken, SCOPES, type TokensPage } from "@tenterhook/protocol/runs";
import { freshPostgres, RunningClock } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let url: string;
let coordinator: TestCoordinator;
beforeAll(async () => {
  url = await freshPostgres();
  coordinator = await TestCoordinator.open({ url, hosts: ["Tenter.example."] });
  await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
});
afterAll(() => coordinator.close());

const newToken = async (body: object) => (await coordinator.admin.post<NewToken>("/tokens", body)).body;

describe("a token", () => {
  test("is required by everything but health, the OpenAPI document and signing in", async () => {
    const { paths } = (
      await coordinator.admin.get<{ paths: Record<string, Record<string, object>> }>("/openapi.json")
    ).body;
    const open: string[] = [];
    for (const [path, methods] of Object.entries(paths)) {
      for (const method of Object.keys(methods)) {
        const address = path.replaceAll(/\{\w+\}/g, "x");
        const { status } = await coordinator.admin.call(method.toUpperCase(), address, { token: null });
        if (status !== 401) open.push(`${method} ${path}`);
      }
    }
    expect(open).toEqual(["get /login", "post /login", "get /healthz", "get /readyz", "get /openapi.json"]);
  });

  test("that is unknown, malformed or of another kind is refused with a hint", async () => {
    for (const authorization of ["Bearer tenterhook_x", "Bearer", "Basic eDp5", `bearer  `]) {
      const { status, headers } = await coordinator.admin.get("/runs", {
        token: null,
        headers: { authorization },
      });
      expect(status).toBe(401);
      expect(headers.get("www-authenticate")).toContain("Bearer");
    }
    const code = new URL(await coordinator.served.loginUrl()).searchParams.get("code") ?? "";
    expect((await coordinator.admin.as(code).get("/runs")).status).toBe(401);
  });

  // What each scope may do, by an operation of each kind.
  const operations = {
    read: ["GET", "/runs", undefined],
    review: ["GET", "/approvals", undefined],
    run: ["POST", "/runs", { agent_name: "echo" }],
    execute: ["POST", "/runner/register", { name: "r" }],
    decide: ["POST", "/approvals/apr_none", { decision: "approve" }],
    define: ["PUT", "/agents/new", { type: "procedural", command: ["cat"] }],
    administer: ["GET", "/tokens", undefined],
    identify: ["GET", "/whoami", undefined],
  } as const;
  const allowed = {
    admin: ["read", "review", "run", "execute", "decide", "define", "administer", "identify"],
    client: ["read", "review", "run", "identify"],
    reviewer: ["review", "decide", "identify"],
    runner: ["execute", "identify"],
    viewer: ["read", "review", "identify"],
  };

  test.each(SCOPES)("with the scope %s may do what the table allows, and nothing else", async (scope) => {
    const client = await coordinator.client(scope);
    const may: string[] = [];
    for (const [name, [method, path, body]] of Object.entries(operations)) {
      const { status, body: answer } = await client.call<{ code?: string }>(method, path, body && { body });
      if (status !== 403) may.push(name);
      else expect(answer.code).toBe("forbidden");
    }
    expect(may).toEqual(allowed[scope]);
  });

  test("is shown once, listed without its secret, and invalid once it is revoked", async () => {
    const made = await newToken({ name: "ci", scope: "client" });
    expect(made.token).toMatch(/^tenterhook_[\w-]{43}$/);
    const client = coordinator.admin.as(made.token);
    const { token_id } = made;
    expect((await client.get("/whoami")).body).toEqual({ token_id, name: "ci", scope: "client" });
    const { tokens } = (await coordinator.admin.get<TokensPage>("/tokens?limit=200")).body;
    expect(tokens.find((each) => each.token_id === token_id)).toMatchObject({ name: "ci" });
    expect(JSON.stringify(tokens)).not.toContain(made.token);
    expect((await coordinator.admin.delete(`/tokens/${made.token_id}`)).status).toBe(200);
    expect((await client.get("/whoami")).status).toBe(401);
    expect((await coordinator.admin.delete(`/tokens/${made.token_id}`)).status).toBe(404);
  });

  test("that is revoked at another coordinator is valid here for at most two seconds", async () => {
    const other = await TestCoordinator.open({ url });
    const made = await newToken({ name: "ci", scope: "viewer" });
    const there = other.admin.as(made.token);
    const alone = new RunningClock();
    expect((await there.get("/whoami")).status).toBe(200);
    const roundTripMs = alone.elapsedMs;
    await coordinator.admin.delete(`/tokens/${made.token_id}`);
    const since = new RunningClock();
    await expect.poll(async () => (await there.get("/whoami")).status).toBe(401);
    // The requests that show it take longer on a busy machine.
    expect(since.elapsedMs).toBeLessThan(2_000 + 10 * roundTripMs);
    await other.close();
  });

  test("may expire", async () => {
    const fresh = async () => {
      const made = await newToken({ name: "short", scope: "viewer", expires_in_seconds: 1 });
      const client = coordinator.admin.as(made.token);
      return { client, status: (await client.get("/whoami")).status };
    };
    // On a machine that is busy with other things, the second may be over by then.
    let { client, status } = await fresh();
    while (status !== 200) ({ client, status } = await fresh());
    await expect.poll(async () => (await client.get("/whoami")).status).toBe(401);
  });

  test("is stored as a hash only", async () => {
    const { token } = await newToken({ name: "hidden", scope: "viewer" });
    const rows = await coordinator.served.coordinator.database.run({
      name: "",
      text: "SELECT * FROM tokens",
    });
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("the data folder", () => {
  test("has an administrator's token that only its owner can read, and the address while there is one", async () => {
    const { mode } = await stat(join(coordinator.folder, "token"));
    expect(mode & 0o777).toBe(0o600);
    expect(await readFile(join(coordinator.folder, "token"), "utf8")).toBe(`${coordinator.served.token}\n`);
    expect(await readFile(join(coordinator.folder, "address"), "utf8")).toBe(`${coordinator.served.url}\n`);
  });

  test("keeps its token over a restart, and gets a new one when it has been revoked", async () => {
    const folder = temporaryFolder();
    const first = await TestCoordinator.open({ url, folder });
    await first.served.close();
    await expect(readFile(join(folder, "address"))).rejects.toThrow("ENOENT");
    const second = await TestCoordinator.open({ url, folder });
    expect(second.served.token).toBe(first.served.token);
    await second.served.close();
    await writeFile(join(folder, "token"), "tenterhook_revoked\n");
    const third = await TestCoordinator.open({ url, folder });
    expect((await readFile(join(folder, "token"), "utf8")).trim()).toBe(third.served.token);
    expect((await third.admin.get("/whoami")).body).toMatchObject({ scope: "admin" });
    await third.close();
  });
});

describe("the page", () => {
  const cookieOf = (headers: Headers) => headers.get("set-cookie")?.split(";")[0] ?? "";
  const own = () => ({ origin: coordinator.served.url });

  async function loggedIn(): Promise<string> {
    const { pathname, search } = new URL(await coordinator.served.loginUrl());
    return cookieOf((await coordinator.admin.get(pathname + search, { token: null })).headers);
  }

  test("is opened by a link that works once", async () => {
    const { pathname, search } = new URL(await coordinator.served.loginUrl());
    const enter = () => coordinator.admin.get(pathname + search, { token: null });
    const { status, headers } = await enter();
    expect(status).toBe(303);
    expect(headers.get("location")).toBe("/");
    expect(headers.get("set-cookie")).toMatch(/; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+$/);
    const cookie = cookieOf(headers);
    expect((await coordinator.admin.get("/whoami", { token: null, headers: { cookie } })).body).toMatchObject(
      {
        scope: "admin",
      },
    );
    expect((await enter()).body).toMatchObject({ status: 401, code: "unauthenticated" });
  });

  test("is opened with a token, and closed when the user signs out or the token is revoked", async () => {
    const made = await newToken({ name: "ann", scope: "viewer" });
    const enter = async () =>
      cookieOf((await coordinator.admin.post("/login", { token: made.token }, { token: null })).headers);
    const who = async (cookie: string) =>
      (await coordinator.admin.get("/whoami", { token: null, headers: { cookie } })).status;
    const [first, second] = [await enter(), await enter()];
    expect([await who(first), await who(second)]).toEqual([200, 200]);
    const headers = { cookie: first, ...own() };
    const out = await coordinator.admin.post("/logout", {}, { token: null, headers });
    expect(out.headers.get("set-cookie")).toContain("Max-Age=0");
    expect([await who(first), await who(second)]).toEqual([401, 200]);
    await coordinator.admin.delete(`/tokens/${made.token_id}`);
    expect(await who(second)).toBe(401);
    expect((await coordinator.admin.post("/login", { token: made.token }, { token: null })).status).toBe(401);
  });

  test("is opened for another person by a link with the scope of its maker", async () => {
    const viewer = await coordinator.client("viewer");
    const { url: link } = (await viewer.post<{ url: string }>("/login-links")).body;
    const { pathname, search, origin } = new URL(link);
    expect(origin).toBe(coordinator.served.url);
    const cookie = cookieOf((await coordinator.admin.get(pathname + search, { token: null })).headers);
    expect((await coordinator.admin.get("/whoami", { token: null, headers: { cookie } })).body).toMatchObject(
      {
        scope: "viewer",
      },
    );
  });

  test("is changed only by requests of the page itself", async () => {
    const cookie = await loggedIn();
    const stop = (headers: Record<string, string>) =>
      coordinator.admin.post("/runs/run_none/stop", {}, { token: null, headers: { cookie, ...headers } });
    for (const headers of [
      {},
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
    ]) {
      expect((await stop(headers as Record<string, string>)).body).toMatchObject({
        status: 403,
        code: "origin_refused",
      });
    }
    expect((await stop(own())).body).toMatchObject({ code: "not_found" });
    expect((await stop({ "sec-fetch-site": "same-origin" })).body).toMatchObject({ code: "not_found" });
    const foreign = { token: null, headers: { origin: "https://evil.example" } };
    expect(
      (await coordinator.admin.post("/login", { token: coordinator.admin.token }, foreign)).body,
    ).toMatchObject({
      code: "origin_refused",
    });
  });

  test("has a secret of its own that is no token, and no token is one", async () => {
    const cookie = await loggedIn();
    expect((await coordinator.admin.as(cookie.split("=")[1] ?? "").get("/whoami")).status).toBe(401);
    const [name] = cookie.split("=");
    const headers = { cookie: `${name}=${coordinator.admin.token}` };
    expect((await coordinator.admin.get("/whoami", { token: null, headers })).status).toBe(401);
  });
});

test.each([
  ["localhost", 200],
  ["LOCALHOST:4100", 200],
  ["127.0.0.1", 200],
  ["[::1]:80", 200],
  ["tenter.example", 200],
  ["tenter.example.:8080", 200],
  ["evil.example", 403],
  ["localhost.evil.example", 403],
  ["10.0.0.1", 403],
])("a request to the host %s is answered with %i", async (host, status) => {
  const { request } = await import("node:http");
  const answer = await new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const sent = request(`${coordinator.served.url}/healthz`, { headers: { host } }, async (response) => {
      let text = "";
      for await (const chunk of response) text += chunk;
      resolve({ status: response.statusCode, text });
    });
    sent.on("error", reject).end();
  });
  expect(answer.status).toBe(status);
  if (status === 403) expect(JSON.parse(answer.text)).toMatchObject({ code: "host_refused" });
});
