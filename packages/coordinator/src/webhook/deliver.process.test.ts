import { afterEach, describe, expect, test } from "vitest";
import type { HostAddress } from "./target.ts";
import { answers, type Reaction, type Receiver, receiver } from "./testing/receiver.ts";
import { call, SAMPLE_BODY, SAMPLE_KEY } from "./testing/sample-call.ts";
import { verifyWebhook } from "./verify-webhook.ts";

const DONE = answers(200, "done");
const redirect = (location: string, status = 307) => answers(status, undefined, { location });

const servers: Receiver[] = [];
async function serve(...reactions: Reaction[]): Promise<Receiver> {
  const server = await receiver(...reactions);
  servers.push(server);
  return server;
}
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));

/** A resolver with an answer for each time it is asked, and a list of what it was asked. */
function resolver(...replies: readonly (readonly string[])[]) {
  const asked: string[] = [];
  const lookup = async (host: string): Promise<HostAddress[]> => {
    const reply = replies[Math.min(asked.push(host), replies.length) - 1] ?? [];
    return reply.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  return { asked, lookup };
}

describe("an address that may not be called", () => {
  test.each([
    ["http://127.0.0.1:PORT/", "127.0.0.1 (loopback) may not be called"],
    ["http://2130706433:PORT/", "127.0.0.1 (loopback) may not be called"],
    ["http://0:PORT/", "0.0.0.0 (unspecified) may not be called"],
    ["http://[::ffff:127.0.0.1]:PORT/", "::ffff:7f00:1 (loopback) may not"],
    ["http://[64:ff9b::10.0.0.1]/", "64:ff9b::a00:1 (private) may not"],
    ["http://169.254.169.254/latest/meta-data/", "169.254.169.254 (metadata) may not"],
  ])("is refused as it is written: %s", async (url, words) => {
    const server = await serve(DONE);
    const answer = await call(url.replace("PORT", String(server.port)), { allowPrivate: false });
    expect(answer).toMatchObject({ type: "failed", code: "address_refused", attempts: 1 });
    expect(answer).toMatchObject({ reason: expect.stringContaining(words) });
    expect(server.connections).toBe(0);
  });

  test("is refused behind a real name", async () => {
    const server = await serve(DONE);
    const answer = await call(`http://localhost:${server.port}/`, { allowPrivate: false });
    expect(answer).toMatchObject({
      code: "address_refused",
      reason: expect.stringMatching(/^localhost leads to .* \(loopback\), which may not/),
    });
    expect(server.connections).toBe(0);
  });

  test.each([
    ["among ones that may", ["127.0.0.1", "10.0.0.1"], "hooks.test leads to 10.0.0.1 (private)"],
    ["with a zone", ["fe80::1%lo"], "leads to fe80::1%lo (link-local)"],
    ["that cannot be read", ["127.1"], "leads to 127.1 (unreadable)"],
  ])("is refused %s", async (_, addresses, words) => {
    const server = await serve(DONE);
    const { lookup } = resolver(addresses);
    const answer = await call(`http://hooks.test:${server.port}/`, { lookup });
    expect(answer).toMatchObject({ code: "address_refused", reason: expect.stringContaining(words) });
    expect(server.connections).toBe(0);
  });

  test("can be allowed by the name of its host", async () => {
    const server = await serve(DONE);
    const { lookup } = resolver(["127.0.0.1"]);
    const allowPrivate = ["hooks.test"];
    const url = (host: string) => `http://${host}:${server.port}/`;
    expect(await call(url("hooks.test"), { lookup, allowPrivate })).toMatchObject({ type: "answered" });
    expect(await call(url("other.test"), { lookup, allowPrivate })).toMatchObject({
      code: "address_refused",
    });
  });
});

describe("a second answer of DNS", () => {
  test("is not asked for between the check and the connection", async () => {
    const server = await serve(DONE);
    const { asked, lookup } = resolver(["127.0.0.1"], ["169.254.169.254"]);
    const answer = await call(`http://hooks.test:${server.port}/`, { lookup });
    expect(answer).toMatchObject({ type: "answered", value: "done" });
    expect(asked).toEqual(["hooks.test"]);
    expect(server.received[0]?.headers.host).toBe(`hooks.test:${server.port}`);
  });

  test("is checked like the first, when there is a second attempt", async () => {
    const server = await serve(answers(503), DONE);
    const { asked, lookup } = resolver(["127.0.0.1"], ["169.254.169.254"]);
    const answer = await call(`http://hooks.test:${server.port}/`, { lookup });
    expect(answer).toMatchObject({ code: "address_refused", attempts: 2 });
    expect(asked).toEqual(["hooks.test", "hooks.test"]);
    expect(server.connections).toBe(1);
  });

  test("is checked like the first, when there is a redirect to the same host", async () => {
    const server = await serve(redirect("/again"), DONE);
    const { lookup } = resolver(["127.0.0.1"], ["127.0.0.2"]);
    const answer = await call(`http://hooks.test:${server.port}/`, { lookup });
    expect(answer).toMatchObject({ code: "address_refused", attempts: 1 });
    expect(server.connections).toBe(1);
  });
});

describe("a redirect", () => {
  test.each([307, 308])("of %i is followed with method and body", async (status) => {
    const server = await serve(redirect("../there?x=1", status), DONE);
    const answer = await call(`${server.origin}/a/b`, {
      method: "PATCH",
      headers: { authorization: "t0ken" },
    });
    expect(answer).toMatchObject({ type: "answered", value: "done", attempts: 1 });
    expect(server.received[1]).toMatchObject({ method: "PATCH", path: "/there?x=1" });
    expect(server.received[1]?.headers.authorization).toBe("t0ken");
    expect(JSON.parse(String(server.received[1]?.rawBody))).toEqual(SAMPLE_BODY);
  });

  test.each([300, 301, 302, 303, 304])("of %i is not followed", async (status) => {
    const server = await serve(redirect("/there", status), DONE);
    expect(await call(server.origin)).toEqual({
      type: "failed",
      code: "redirect_refused",
      reason: `${server.origin} answered with status ${status}; only 307 and 308 are followed.`,
      status,
      attempts: 1,
    });
    expect(server.received).toHaveLength(1);
  });

  test("leaves the configured headers behind when it leads to another origin, and signs nonetheless", async () => {
    const other = await serve(DONE);
    const server = await serve(redirect(`${other.origin}/there`));
    const headers = { Authorization: "t0ken", "X-Key": "t0ken", "Content-Type": "text/t0ken" };
    expect(await call(server.origin, { headers })).toMatchObject({ value: "done" });
    const [request] = other.received;
    expect(JSON.stringify(request?.headers)).not.toContain("t0ken");
    expect(request?.headers).toMatchObject({
      "content-type": "application/json",
      "idempotency-key": "hook-1",
    });
    expect(verifyWebhook(request?.headers ?? {}, request?.rawBody ?? "", SAMPLE_KEY)).toBe(true);
  });

  test("does not get the configured headers back by returning", async () => {
    const server: Receiver = await serve((...seen) => redirect(other.origin)(...seen), DONE);
    const other = await serve(redirect(`${server.origin}/delete-everything`));
    expect(await call(server.origin, { headers: { authorization: "t0ken" } })).toMatchObject({
      value: "done",
    });
    expect(server.received.map(({ headers }) => headers.authorization)).toEqual(["t0ken", undefined]);
  });

  test.each([
    ["http://169.254.169.254/latest/meta-data/", "address_refused"],
    ["http://[::1]/", "address_refused"],
    ["//10.0.0.1/", "address_refused"],
    ["http://ada:s3cret@127.0.0.1/", "bad_url"],
    ["file:///etc/passwd", "bad_url"],
    ["http://[", "bad_url"],
  ])("to %s is refused", async (location, code) => {
    const server = await serve(redirect(location));
    const answer = await call(server.origin);
    expect(answer).toMatchObject({ type: "failed", code, attempts: 1 });
    expect(JSON.stringify(answer)).not.toContain("s3cret");
  });

  test("to a host that is private is refused", async () => {
    const server = await serve(redirect("http://inside.test/"));
    const { lookup } = resolver(["192.168.1.1"]);
    expect(await call(server.origin, { lookup })).toMatchObject({
      code: "address_refused",
      reason: expect.stringContaining("inside.test leads to 192.168.1.1 (private)"),
    });
  });

  test("without a location, and one too many, are failures", async () => {
    const nowhere = await serve(answers(307));
    expect(await call(nowhere.origin)).toMatchObject({ code: "redirect_refused", status: 307 });
    const loop = await serve(redirect("/"));
    expect(await call(loop.origin)).toMatchObject({
      code: "redirect_refused",
      reason: `${loop.origin} redirected once more, after 3 redirects.`,
    });
    expect(loop.received).toHaveLength(4);
    expect(await call(loop.origin, { maxRedirects: 0 })).toMatchObject({ code: "redirect_refused" });
    expect(loop.received).toHaveLength(5);
  });
});
