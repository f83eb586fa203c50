import { once } from "node:events";
import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { TenterhookError } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { type ClientOptions, HttpClient } from "./http-client.ts";
import { isRequestError, RequestError } from "./request-error.ts";
import { serve } from "./testing/serve.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

/** A client of a server of the test. */
async function connect(listener: RequestListener, options: Partial<ClientOptions> = {}): Promise<HttpClient> {
  return new HttpClient({ url: `${await serve(listener)}/base/`, token: "secret", ...options });
}

const caught = (request: Promise<unknown>): Promise<unknown> => request.catch((error: unknown) => error);

test("a request goes to its path below the URL with the token, and its response is parsed", async () => {
  const seen: unknown[] = [];
  const client = await connect(async (request, response) => {
    const { method, url, headers } = request;
    seen.push([method, url, headers.authorization, headers["content-type"], await text(request)]);
    response.end('{"ok":true}');
  });
  const query = { after: 3, limit: undefined };
  expect(await client.send("GET /runs/{id}/events", { params: { id: "a/b" }, query })).toEqual({
    ok: true,
  });
  expect(await client.send("POST /runs", { body: { agent_name: "zoë" } })).toEqual({ ok: true });
  expect(seen).toEqual([
    ["GET", "/base/runs/a%2Fb/events?after=3", "Bearer secret", undefined, ""],
    ["POST", "/base/runs", "Bearer secret", "application/json", '{"agent_name":"zoë"}'],
  ]);
});

test("a request without content in its response resolves to undefined", async () => {
  const client = await connect((_, response) => response.writeHead(204).end());
  expect(await client.send("POST /logout")).toBeUndefined();
});

test("a request is not sent elsewhere by a redirect", async () => {
  let requests = 0;
  const client = await connect(
    (_, response) => {
      requests++;
      response.writeHead(307, { location: "/elsewhere" }).end();
    },
    { retry: { attempts: 1 } },
  );
  expect(await caught(client.send("GET /runs"))).toMatchObject({ code: "coordinator_unreachable" });
  expect(requests).toBe(1);
});

test("a request with a body that JSON cannot express rejects with that error, and nothing is sent", async () => {
  let requests = 0;
  const client = await connect((_, response) => response.end(String(++requests)));
  const body = { agent_name: "a", parameters: { big: 1n } };
  await expect(client.send("POST /runs", { body })).rejects.toThrow(TypeError);
  expect(requests).toBe(0);
});

test("an error of the coordinator is a TenterhookError with the code, the status and the problem", async () => {
  const problem = { code: "lease_lost", title: "Lost", detail: "it is gone", hint: "Stop working on it." };
  const client = await connect((_, response) => response.writeHead(409).end(JSON.stringify(problem)));
  const error = await caught(client.send("GET /runs"));
  expect(error).toBeInstanceOf(RequestError);
  expect(isRequestError(error) && TenterhookError.isInstance(error)).toBe(true);
  expect(error).toMatchObject({
    code: "lease_lost",
    status: 409,
    problem,
    isRefusal: true,
    isTransient: false,
  });
  expect(String(error)).toBe("TenterhookError: it is gone. Stop working on it.");
});

test.each([
  [200, "<html>Log in to the hotel's network</html>", false, false],
  [404, "<html>Not found</html>", false, false],
  [413, "<html>Too large</html>", true, false],
  [502, "<html>Bad gateway</html>", false, true],
  [500, "null", false, false],
])(
  "an error for a response of status %d with the body %s says that it is not the coordinator's",
  async (status, body, isRefusal, isTransient) => {
    const client = await connect((_, response) => response.writeHead(status).end(body), {
      retry: { attempts: 1 },
    });
    const error = await caught(client.send("GET /runs"));
    expect(error).toMatchObject({
      code: "bad_response",
      status,
      problem: undefined,
      isRefusal,
      isTransient,
    });
  },
);

test("an error of a connection that is cut in the middle of a response names the reason", async () => {
  const client = await connect(
    (_, response) => {
      response.writeHead(200, { "content-length": "100" }).write('{"ok":', () => response.destroy());
    },
    { retry: { attempts: 1 } },
  );
  const error = await caught(client.send("GET /runs"));
  expect(error).toMatchObject({ code: "coordinator_unreachable", status: undefined, isTransient: true });
  expect(String(error)).toMatch(/cannot be reached: (UND_ERR_SOCKET|ECONNRESET|terminated)/);
});

test("the timeout and the signal end a request to a server that never answers, and its connection", async () => {
  for (const end of ["timeout", "signal"] as const) {
    let closed: Promise<unknown> | undefined;
    const controller = new AbortController();
    const client = await connect(({ socket }) => {
      closed = once(socket, "close");
      if (end === "signal") controller.abort(new Error("enough"));
    });
    const timeoutMs = end === "timeout" ? 50 : undefined;
    const error = await caught(client.send("POST /logout", { signal: controller.signal, timeoutMs }));
    expect(String(error)).toBe(
      end === "timeout" ? "TenterhookError: no response within 50 ms" : "Error: enough",
    );
    await closed;
  }
});

test("the signal ends a response whose body is silent, after a garbage collection, and its connection", async () => {
  let closed: Promise<unknown> | undefined;
  const controller = new AbortController();
  const client = await connect(({ socket }, response) => {
    closed = once(socket, "close");
    response.writeHead(200).write('{"ok":', () => {
      // The client gets the headers before it is collected.
      setTimeout(() => {
        collectGarbage();
        controller.abort(new Error("enough"));
      }, 50);
    });
  });
  await expect(client.send("GET /runs", { signal: controller.signal })).rejects.toThrow("enough");
  await closed;
});

test("a request whose signal has fired already is not sent", async () => {
  let requests = 0;
  const client = await connect((_, response) => response.end(String(++requests)));
  await expect(client.send("GET /runs", { signal: AbortSignal.abort("done") })).rejects.toBe("done");
  expect(requests).toBe(0);
});

/** Refuses with a status the first times, then answers. */
async function refuse(times: number, status: number, headers = {}, options: Partial<ClientOptions> = {}) {
  const keys: unknown[] = [];
  const client = await connect(
    (request, response) => {
      keys.push(request.headers["idempotency-key"]);
      if (keys.length > times) response.end(String(keys.length));
      else response.writeHead(status, headers).end('{"code":"unavailable","detail":"away"}');
    },
    { retry: { firstMs: 1 }, ...options },
  );
  return { client, keys };
}

test("a retry follows a 503 not before its Retry-After", async () => {
  const { client, keys } = await refuse(1, 503, { "retry-after": "1" });
  const started = performance.now();
  expect(await client.send("GET /runs")).toBe(2);
  expect(performance.now() - started).toBeGreaterThan(990);
  expect(keys).toHaveLength(2);
});

test("a retry does not wait for a Retry-After beyond the longest pause", async () => {
  const { client, keys } = await refuse(1, 503, { "retry-after": "60" });
  expect(await caught(client.send("GET /runs"))).toMatchObject({ status: 503, retryAfterMs: 60_000 });
  expect(keys).toHaveLength(1);
});

test("a retry ends after as many attempts as the policy has, with the last error", async () => {
  const { client, keys } = await refuse(9, 503, {}, { retry: { firstMs: 1, attempts: 4 } });
  expect(await caught(client.send("GET /runs"))).toMatchObject({ status: 503, code: "unavailable" });
  expect(keys).toHaveLength(4);
});

test("a retry does not follow a refusal that would be the same again", async () => {
  const { client, keys } = await refuse(1, 404);
  expect(await caught(client.send("GET /runs"))).toMatchObject({ status: 404 });
  expect(keys).toHaveLength(1);
});

test("a retry of a request that changes something needs an idempotency key, and sends the same one", async () => {
  const body = { agent_name: "a" };
  const { client, keys } = await refuse(1, 503);
  expect(await caught(client.send("POST /runs", { body }))).toMatchObject({ status: 503 });
  expect(keys).toEqual([undefined]);
  const keyed = await refuse(1, 503);
  expect(await keyed.client.send("POST /runs", { body, idempotencyKey: "k" })).toBe(2);
  expect(keyed.keys).toEqual(["k", "k"]);
});

test("a retry does not follow when the signal fires during the pause", async () => {
  const { client, keys } = await refuse(1, 503, {}, { retry: { firstMs: 60_000, mostMs: 60_000 } });
  const controller = new AbortController();
  const request = client.send("GET /runs", { signal: controller.signal });
  await expect.poll(() => keys.length).toBe(1);
  controller.abort(new Error("enough"));
  await expect(request).rejects.toThrow("enough");
  expect(keys).toHaveLength(1);
});

test.each([
  ["a line break", "geheim\ntoken"],
  ["a carriage return at its end", "geheim-token\r"],
  ["a NUL", "geheim\0token"],
  ["a space", "geheim token"],
  ["a letter outside of ASCII", "geheim-töken"],
])("a token with %s is refused where the client is made, without being repeated", (_, token) => {
  expect(() => new HttpClient({ url: "http://127.0.0.1:1", token })).toThrow(
    expect.objectContaining({ code: "bad_client", message: expect.not.stringContaining("geheim") }),
  );
});

test.each([
  "http://me:geheim@127.0.0.1:4100",
  "https://geheim@fleet.example/path",
  "http://me:geh/geheim@127.0.0.1",
  "me:geheim@127.0.0.1:4100",
  "http://me:geheim@127.0.0.1:99999",
])("the address %s is refused where the client is made, without being repeated", (url) => {
  expect(() => new HttpClient({ url })).toThrow(
    expect.objectContaining({ code: "bad_client", message: expect.not.stringContaining("geheim") }),
  );
});

test("an address may have an @ in its path", async () => {
  const paths: unknown[] = [];
  const url = await serve(({ url }, response) => {
    paths.push(url);
    response.end("{}");
  });
  await new HttpClient({ url: `${url}/@team` }).send("GET /runs");
  expect(paths).toEqual(["/@team/runs"]);
});

test.each(["", ".", ".."])("the id %j is refused before a request is sent", async (id) => {
  let requests = 0;
  const client = await connect((_, response) => response.end(String(++requests)));
  const input = { params: { id } };
  const refusal = { code: "bad_client", message: expect.stringContaining(`id is "${id}"`) };
  expect(await caught(client.send("POST /runs/{id}/stop", { ...input, body: {} }))).toMatchObject(refusal);
  expect(await caught(client.open("GET /runs/{id}", input))).toMatchObject(refusal);
  expect(requests).toBe(0);
});

test("an id of three dots, or with an encoded dot, is sent as it is", async () => {
  const client = await connect(({ url }, response) => response.end(JSON.stringify({ url })));
  for (const [id, sent] of [
    ["...", "..."],
    ["%2e%2e", "%252e%252e"],
  ])
    expect(await client.send("GET /runs/{id}", { params: { id: id ?? "" } })).toEqual({
      url: `/base/runs/${sent}`,
    });
});

test.each([
  [200, "a response"],
  [404, "a refusal"],
])("a body of status %i that never ends is cut off after 64 MB: %s", async (status) => {
  const megabyte = Buffer.alloc(1_000_000, "x");
  let sent = 0;
  const client = await connect((_, response) => {
    response.writeHead(status);
    const write = () => {
      while (!response.destroyed && response.write(megabyte)) sent++;
    };
    response.on("drain", write);
    write();
  });
  expect(await caught(client.send("POST /runs", { body: { agent_name: "a" } }))).toMatchObject({
    code: "bad_response",
    status,
    isTransient: false,
    message: expect.stringContaining("larger than 64 MB"),
  });
  // The rest is in buffers of the connection.
  expect(sent).toBeLessThan(100);
});

test("a compressed response is limited by what it expands to", async () => {
  const body = gzipSync(Buffer.alloc(65_000_000, " "));
  const client = await connect((_, response) => {
    response.writeHead(200, { "content-encoding": "gzip" }).end(body);
  });
  expect(await caught(client.send("GET /runs"))).toMatchObject({ code: "bad_response" });
});

test("a response of 60 MB is read", async () => {
  const client = await connect((_, response) =>
    response.end(JSON.stringify({ text: "x".repeat(60_000_000) })),
  );
  expect(await client.send("GET /runs")).toHaveProperty("text.length", 60_000_000);
});
