import { once } from "node:events";
import type { RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
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
