// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how variables are written
import { getEventListeners, once } from "node:events";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { signature } from "./signature.ts";
import { answers, keepsSilent, type Reaction, type Receiver, receiver, writes } from "./testing/receiver.ts";
import { call, SAMPLE_BODY, SAMPLE_KEY } from "./testing/sample-call.ts";
import { verifyWebhook } from "./verify-webhook.ts";

let server: Receiver;
async function serve(...reactions: Reaction[]): Promise<string> {
  server = await receiver(...reactions);
  return server.origin;
}
afterEach(() => server?.close());

describe("what is sent", () => {
  test("is the body as JSON, with the method, the path and the query of the definition", async () => {
    const origin = await serve(answers(204));
    await call(`${origin}/hooks/start?team=7`, { method: "PUT" });
    const [request] = server.received;
    expect(request).toMatchObject({ method: "PUT", path: "/hooks/start?team=7" });
    expect(JSON.parse(String(request?.rawBody))).toEqual(SAMPLE_BODY);
    expect(request?.headers).toMatchObject({
      host: `127.0.0.1:${server.port}`,
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(JSON.stringify(SAMPLE_BODY))),
      "accept-encoding": "identity",
      "idempotency-key": "hook-1",
      connection: "close",
    });
  });

  test("is signed, with the time", async () => {
    const origin = await serve(answers(204));
    await call(origin, { now: () => 1_900_000_000_999 });
    const { headers = {}, rawBody = "" } = server.received[0] ?? {};
    expect(headers["tenterhook-timestamp"]).toBe("1900000000");
    expect(headers["tenterhook-signature"]).toBe(signature(SAMPLE_KEY, "1900000000", rawBody));
    expect(verifyWebhook(headers, rawBody, SAMPLE_KEY, { now: () => 1_900_000_100_000 })).toBe(true);
  });

  test("names the version of the package", async () => {
    const origin = await serve(answers(204));
    await call(origin);
    const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
    expect(server.received[0]?.headers["user-agent"]).toBe(`tenterhook/${version}`);
  });

  test("has the configured headers, with allowed variables", async () => {
    const origin = await serve(answers(204));
    const headers = { Authorization: "Bearer ${TOKEN}", "Content-Type": "application/vnd.acme+json" };
    await call(origin, { headers, variables: { TOKEN: "t0ken" } });
    expect(server.received[0]?.headers).toMatchObject({
      authorization: "Bearer t0ken",
      "content-type": "application/vnd.acme+json",
    });
  });

  test("is nothing at all, when a variable is not allowed", async () => {
    const origin = await serve(answers(204));
    const answer = await call(origin, { headers: { Authorization: "${PATH}" } });
    expect(answer).toMatchObject({ type: "failed", code: "unknown_variable", attempts: 0 });
    expect(server.connections).toBe(0);
  });
});

describe("an answer", () => {
  test.each([
    [200, '{"action":"continue"}', { action: "continue" }],
    [201, " [1, null] \n", [1, null]],
    [200, '"ok"', "ok"],
    [200, "\u{feff}true", true],
    [200, "", undefined],
    [202, " \n", undefined],
    [204, "", undefined],
  ])("of %i and %j is a value", async (status, text, value) => {
    const origin = await serve((response) => response.writeHead(status).end(text));
    expect(await call(origin)).toEqual({ type: "answered", value, status, attempts: 1 });
  });

  test.each([
    ["text", Buffer.from("s3cret, says the receiver")],
    ["half of JSON", Buffer.from('{"s3cret":')],
    ["JSON that is not UTF-8", Buffer.from([0x22, 0xff, 0x22])],
  ])("of %s is a failure that does not repeat it, and is not tried again", async (_, text) => {
    const origin = await serve((response) => response.end(text));
    expect(await call(origin)).toEqual({
      type: "failed",
      code: "bad_response",
      reason: `${origin} answered with something that is not JSON.`,
      status: 200,
      attempts: 1,
    });
  });

  test("that is compressed is a failure", async () => {
    const origin = await serve(answers(200, {}, { "content-encoding": "gzip" }));
    expect(await call(origin)).toMatchObject({ code: "bad_response", attempts: 1 });
  });

  test.each([
    ["something that is not HTTP", "SSH-2.0-OpenSSH_9.6\r\n", "bad_response"],
    [
      "another protocol",
      "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      "bad_status",
    ],
  ])("of %s is a failure", async (_, bytes, code) => {
    const origin = await serve(writes(bytes));
    expect(await call(origin)).toMatchObject({ type: "failed", code, attempts: 1 });
    await server.hungUp();
  });

  test("never brings the value of a header into a reason, even when the receiver repeats it", async () => {
    const echo: Reaction = (response, { headers }) =>
      response.writeHead(400, { "x-echo": headers.authorization }).end(headers.authorization);
    const origin = await serve(echo);
    const answer = await call(`${origin}/p4th?k3y`, { headers: { authorization: "t0ken" } });
    expect(answer).toMatchObject({ type: "failed", reason: `${origin} answered with status 400.` });
  });
});

describe("a signal", () => {
  test("that has fired already means that nothing is sent", async () => {
    const origin = await serve(answers(204));
    const answer = await call(origin, { signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ type: "failed", code: "cancelled", attempts: 0 });
    expect(server.connections).toBe(0);
  });

  test("closes the connection when it fires before the answer", async () => {
    const controller = new AbortController();
    const origin = await serve((response, received) => {
      keepsSilent(response, received);
      controller.abort(new Error("s3cret"));
    });
    expect(await call(origin, { signal: controller.signal })).toEqual({
      type: "failed",
      code: "cancelled",
      reason: `The call of ${origin} was cancelled.`,
      status: undefined,
      attempts: 1,
    });
    await server.hungUp();
  });

  test("ends a pause", async () => {
    const controller = new AbortController();
    const origin = await serve(answers(503));
    const pause = async (_ms: number, signal: AbortSignal) => {
      const fired = once(signal, "abort");
      controller.abort();
      await fired;
    };
    const answer = await call(origin, { pause, signal: controller.signal });
    expect(answer).toMatchObject({ code: "cancelled", attempts: 1, reason: expect.stringContaining("503") });
  });

  test("has no listener afterwards", async () => {
    const origin = await serve(answers(204));
    const { signal } = new AbortController();
    await call(origin, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });
});

describe("a mistake of the program is thrown", () => {
  test.each([
    ["an empty signing key", { signingKey: "" }],
    ["a body that is no JSON", { body: 1n }],
    ["no body", { body: undefined }],
    ["an idempotency key with a line break", { idempotencyKey: "a\nb" }],
    ["a permission that cannot be read", { allowPrivate: ["10.0.0.0/33"] }],
  ])("for %s", async (_, mistake) => {
    await expect(call("http://127.0.0.1:9/", mistake)).rejects.toThrow(TypeError);
  });
});
