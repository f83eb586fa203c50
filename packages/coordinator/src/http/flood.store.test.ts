import { connect, type Socket } from "node:net";
import { type ApiClient, freshPostgres } from "@tenterhook/test-support";
import { afterAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const REQUESTS = 40_000;

const stores = [
  ["an embedded database", async () => undefined],
  ["a database server", freshPostgres],
] as const;

/** Sends requests on one connection without waiting for responses. */
class Flood {
  readonly closed: Promise<void>;
  readonly #socket: Socket;
  #text = "";

  constructor(url: string, request: (index: number) => string, count = REQUESTS) {
    const { hostname, port } = new URL(url);
    this.#socket = connect(Number(port), hostname);
    this.#socket
      .on("error", () => {})
      .on("data", (chunk) => {
        this.#text += chunk.toString("latin1");
      });
    this.closed = new Promise((resolve) => this.#socket.on("close", () => resolve()));
    const parts = Array.from({ length: count }, (_, index) => request(index));
    this.#socket.write(parts.join(""));
  }

  get statuses(): readonly string[] {
    return [...this.#text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status ?? "");
  }

  get text(): string {
    return this.#text;
  }

  end(): void {
    this.#socket.destroy();
  }
}

const head = (...lines: readonly string[]) =>
  [`GET /runs HTTP/1.1`, "Host: localhost", ...lines, "", ""].join("\r\n");
const withoutToken = () => head();
const withUnknownToken = (index: number) => head(`Authorization: Bearer tenterhook_${index}`);
const withUnknownCookie = (index: number) => head(`Cookie: tenterhook=${index}`);

/** The longest time, in milliseconds, that a client waited for a response, while there was something to wait for. */
async function slowestOf(client: ApiClient, isWanted: (asked: number) => boolean): Promise<number> {
  let slowest = 0;
  for (let asked = 0; isWanted(asked); asked++) {
    const since = performance.now();
    expect((await client.get("/runs")).status).toBe(200);
    slowest = Math.max(slowest, performance.now() - since);
  }
  return slowest;
}

describe.each(stores)("with %s", (_, newUrl) => {
  const coordinators: TestCoordinator[] = [];
  const open = async (more: object = {}) => {
    const url = await newUrl();
    const coordinator = await TestCoordinator.open({ ...(url !== undefined && { url }), ...more });
    coordinators.push(coordinator);
    return { coordinator, url };
  };
  afterAll(async () => {
    for (const coordinator of coordinators) await coordinator.close();
  });

  test.each([
    ["no token", withoutToken],
    ["unknown tokens", withUnknownToken],
    ["unknown cookies", withUnknownCookie],
  ])(
    "40,000 pipelined requests with %s delay no other client, and take no memory",
    async (_name, request) => {
      const { coordinator } = await open();
      const viewer = await coordinator.client("viewer");
      const slowestAlone = await slowestOf(viewer, (asked) => asked < 20);
      // Not the resident set, which other tests' threads share.
      const memory = () => process.memoryUsage().heapUsed + process.memoryUsage().external;
      const before = memory();
      let most = before;
      const flood = new Flood(coordinator.served.url, request);
      let isClosed = false;
      const closed = flood.closed.then(() => {
        isClosed = true;
      });
      const slowest = await slowestOf(viewer, (asked) => {
        most = Math.max(most, memory());
        return asked < 20 || !isClosed;
      });
      await closed;
      expect(slowest).toBeLessThan(2_000 + 10 * slowestAlone);
      expect(most - before).toBeLessThan(300e6);
      expect(flood.statuses.length).toBeLessThan(REQUESTS / 10);
      // A new token is looked up although the address has sent too many requests.
      expect((await (await coordinator.client("viewer")).get("/runs")).status).toBe(200);
    },
  );

  test("requests with a known token are all answered, in order, however many are sent at once", async () => {
    const { coordinator } = await open();
    const flood = new Flood(
      coordinator.served.url,
      (index) =>
        head(`Authorization: Bearer ${coordinator.admin.token}`).replace("/runs", `/runs/run_${index}`),
      3_000,
    );
    await expect.poll(() => flood.statuses.length).toBe(3_000);
    expect(new Set(flood.statuses)).toEqual(new Set(["404"]));
    const asked = [...flood.text.matchAll(/\\"run_(\d+)\\"/g)].map(([, index]) => Number(index));
    expect(asked).toEqual(Array.from({ length: 3_000 }, (_unused, index) => index));
    flood.end();
  });

  test("too many requests without a token get 429 with Retry-After, which is counted, and a known token is not limited", async () => {
    const { coordinator } = await open({ anonymousRate: { burst: 3, perSecond: 0.001 } });
    const anonymous = (headers: Record<string, string> = {}) =>
      fetch(`${coordinator.served.url}/healthz`, { headers });
    for (let i = 0; i < 3; i++) expect((await anonymous()).status).toBe(200);
    const refused = await anonymous();
    expect([refused.status, refused.headers.get("retry-after"), refused.headers.get("content-type")]).toEqual(
      [429, "1", "application/problem+json"],
    );
    expect(await refused.json()).toMatchObject({
      status: 429,
      code: "too_many_requests",
      title: "Too many requests",
      detail: expect.stringContaining("127.0.0.1"),
    });
    // A forwarded address does not count: this is not a proxy that was named.
    expect((await anonymous({ "x-forwarded-for": "192.0.2.1" })).status).toBe(429);
    expect((await anonymous({ authorization: "Bearer tenterhook_unknown" })).status).toBe(429);
    expect((await anonymous({ authorization: `Bearer ${coordinator.admin.token}` })).status).toBe(200);
    const metrics = await fetch(`${coordinator.served.url}/metrics`, {
      headers: { authorization: `Bearer ${coordinator.admin.token}` },
    });
    expect(await metrics.text()).toMatch(
      /tenterhook_http_requests_total\{route="refused",method="GET",status="429"\} 3/,
    );
  });

  test("a proxy that is named forwards the address that is limited", async () => {
    const { coordinator } = await open({
      anonymousRate: { burst: 1, perSecond: 0.001 },
      trustedProxies: ["127.0.0.1"],
    });
    const from = async (address: string) =>
      (await fetch(`${coordinator.served.url}/healthz`, { headers: { "x-forwarded-for": address } })).status;
    expect([await from("192.0.2.1"), await from("192.0.2.1"), await from("192.0.2.2")]).toEqual([
      200, 429, 200,
    ]);
  });
});

test("a token that was made on another coordinator is valid at once, also from an address that sent too much", async () => {
  const url = await freshPostgres();
  const one = await TestCoordinator.open({ url });
  const other = await TestCoordinator.open({ url, anonymousRate: { burst: 1, perSecond: 0.001 } });
  const flood = new Flood(other.served.url, withUnknownToken);
  const { token } = await one.client("viewer");
  const headers = { authorization: `Bearer ${token}` };
  expect((await fetch(`${other.served.url}/runs`, { headers })).status).toBe(200);
  await flood.closed;
  await other.close();
  await one.close();
});

test("a request with two Host headers is refused", async () => {
  const coordinator = await TestCoordinator.open();
  const flood = new Flood(coordinator.served.url, () => head("Host: localhost", "Connection: close"), 1);
  await flood.closed;
  expect(flood.statuses).toEqual(["400"]);
  expect(flood.text).toContain("more than one Host header");
  await coordinator.close();
});
