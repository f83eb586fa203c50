import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { WebhookKey } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { verifyWebhook } from "../webhook/index.ts";

const received: { headers: IncomingHttpHeaders; body: string }[] = [];
const receiver = createServer(async (request, response) => {
  let body = "";
  for await (const chunk of request) body += chunk;
  received.push({ headers: request.headers, body });
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify({ action: "continue", parameters: {} }));
});
beforeAll(() => new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve)));
afterAll(() => void receiver.close());

describe.each(["embedded", "server"] as const)("the key that signs webhooks, over an %s database", (kind) => {
  let coordinator: TestCoordinator;
  beforeAll(async () => {
    const url = kind === "server" ? await freshPostgres() : undefined;
    coordinator = await TestCoordinator.open({ url, webhooks: { allowPrivate: ["127.0.0.1"] } });
    const { port } = receiver.address() as AddressInfo;
    const on_run_start = { type: "http", url: `http://127.0.0.1:${port}/`, on_error: "block" } as const;
    await coordinator.save({ name: "hooked", type: "procedural", command: ["cat"], hooks: { on_run_start } });
  });
  afterAll(() => coordinator.close());

  const show = async () => (await coordinator.admin.get<WebhookKey>("/webhook-key")).body;
  const rotate = (body: object = {}) => coordinator.admin.post<WebhookKey>("/webhook-key/rotate", body);
  /** Which of some keys a new webhook is signed with. */
  async function signedWith(...keys: string[]): Promise<boolean[]> {
    received.length = 0;
    const { run_id } = await coordinator.start("hooked");
    const runner = await coordinator.runner();
    const run = await runner.claim();
    expect(run.run_id).toBe(run_id);
    await runner.complete(run);
    const { headers, body } = received[0] ?? { headers: {}, body: "" };
    return keys.map((key) => verifyWebhook(headers, body, key));
  }

  test("is shown to administrators only", async () => {
    expect(await show()).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/), previous_key: null });
    for (const scope of ["client", "runner", "viewer"] as const) {
      const client = await coordinator.client(scope);
      expect((await client.get("/webhook-key")).status).toBe(403);
      expect((await client.post("/webhook-key/rotate")).status).toBe(403);
      expect((await client.delete("/webhook-key/previous")).status).toBe(403);
    }
  });

  test("is rotated with both keys signing until the one before is retired", async () => {
    const { key: old } = await show();
    expect(await signedWith(old)).toEqual([true]);
    expect((await coordinator.admin.delete("/webhook-key/previous")).body).toMatchObject({
      code: "not_found",
    });
    const { body: pair } = await rotate();
    expect(pair).toEqual({ key: expect.not.stringMatching(old), previous_key: old });
    expect(await show()).toEqual(pair);
    expect(await signedWith(old, pair.key)).toEqual([true, true]);
    expect((await rotate()).body).toMatchObject({ status: 409, hint: expect.stringContaining("Retire") });
    const retired = await coordinator.admin.delete<WebhookKey>("/webhook-key/previous");
    expect(retired.body).toEqual({ key: pair.key, previous_key: null });
    expect(await signedWith(old, pair.key)).toEqual([false, true]);
  });

  test("may be set by an administrator", async () => {
    const { key: old } = await show();
    const key = "a-key-of-ones-own-0123456789";
    expect((await rotate({ key })).body).toEqual({ key, previous_key: old });
    expect(await signedWith(key, old)).toEqual([true, true]);
    await coordinator.admin.delete("/webhook-key/previous");
    expect((await rotate({ key })).body).toMatchObject({ code: "conflict", field: "key" });
    for (const wrong of ["short", "with a space in the middle", "x".repeat(257), "ü".repeat(20)]) {
      expect((await rotate({ key: wrong })).body).toMatchObject({ status: 400, field: "key" });
    }
  });

  test("is rotated once by two requests at the same time", async () => {
    const answers = await Promise.all([rotate(), rotate()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    await coordinator.admin.delete("/webhook-key/previous");
  });
});

test("a key that the program has set is shown, and cannot be changed over HTTP", async () => {
  const coordinator = await TestCoordinator.open({ webhooks: { signingKey: "set-by-the-program" } });
  const { body } = await coordinator.admin.get("/webhook-key");
  expect(body).toEqual({ key: "set-by-the-program", previous_key: null });
  expect((await coordinator.admin.post("/webhook-key/rotate")).body).toMatchObject({ code: "conflict" });
  await coordinator.close();
});
