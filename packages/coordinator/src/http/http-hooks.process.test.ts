import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";
import { verifyWebhook } from "../webhook/index.ts";

let coordinator: TestCoordinator;
let receiver: Server;
let address: string;
const received: { readonly headers: NodeJS.Dict<string | string[]>; readonly body: string }[] = [];

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body });
    const { parameters } = JSON.parse(body);
    if (parameters.slow === true) await new Promise((resolve) => setTimeout(resolve, 5_500));
    if (request.url === "/plain") {
      response.setHeader("content-type", "text/plain");
      response.setHeader("content-encoding", "none");
      response.end("OK");
      return;
    }
    response.setHeader("content-type", "application/json");
    if (parameters.text !== undefined) parameters.text = "a\0b\ud83d";
    response.end(JSON.stringify({ action: "continue", parameters: { ...parameters, enriched: true } }));
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  coordinator = await TestCoordinator.open({
    url: await freshPostgres(),
    webhooks: { allowPrivate: ["127.0.0.1"], variables: { API_KEY: "s3cret" }, signingKey: "sign" },
  });
});
afterAll(async () => {
  await coordinator.close();
  receiver.close();
});

const hooked = (name: string, url: string): BlueprintInput => ({
  name,
  type: "procedural",
  command: ["cat"],
  hooks: {
    on_run_start: {
      type: "http",
      url,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how a hook names a variable.
      headers: { authorization: "Bearer ${API_KEY}" },
      on_error: "block",
    },
  },
});

test("an http hook is called with the input, signed, with its variables, and nothing of them is shown", async () => {
  await coordinator.save(hooked("enriched", address));
  const { run_id, session_id } = await coordinator.start("enriched", { a: 1 });
  const runner = await coordinator.runner();
  const run = await runner.claim();
  expect(run.parameters).toEqual({ a: 1, enriched: true });
  await runner.complete(run);
  const [call] = received;
  expect(JSON.parse(call?.body ?? "")).toEqual({
    parameters: { a: 1 },
    agent_name: "enriched",
    session_id,
    run_id,
  });
  expect(call?.headers.authorization).toBe("Bearer s3cret");
  expect(call?.headers["tenterhook-hook"]).toBe("on_run_start");
  expect(verifyWebhook(call?.headers ?? {}, call?.body ?? "", "sign")).toBe(true);
  const shown = JSON.stringify([await coordinator.run(run_id), await coordinator.events(run_id)]);
  expect(shown).toContain(new URL(address).origin);
  expect(shown).not.toContain(address);
  expect(shown).not.toContain("s3cret");
});

test("a hook that only observes may answer anything with a 2xx status, which is not read", async () => {
  const url = new URL("/plain", address).href;
  const hook = { type: "http", url, on_error: "block", mode: "sync" } as const;
  await coordinator.save({
    ...hooked("watched", address),
    hooks: { on_run_finish: hook, on_run_error: hook },
  });
  const runner = await coordinator.runner();
  const { run_id } = await coordinator.start("watched");
  received.length = 0;
  await runner.report(await runner.claim(), "failed", { error: "no" });
  const { hooks } = await coordinator.ended(run_id);
  expect(hooks.map(({ hook_type, state, error }) => [hook_type, state, error])).toEqual([
    ["on_run_error", "done", null],
    ["on_run_finish", "done", null],
  ]);
  expect(new Set(received.map(({ headers }) => headers["tenterhook-hook"]))).toEqual(
    new Set(["on_run_error", "on_run_finish"]),
  );
});

test("an answer with what no database can keep is taken without it, and the address is called once", async () => {
  await coordinator.save(hooked("strange", address));
  received.length = 0;
  await coordinator.start("strange", { text: "" });
  const runner = await coordinator.runner();
  const run = await runner.claim();
  expect(run.parameters).toEqual({ text: "a\ufffdb\ufffd", enriched: true });
  await runner.complete(run);
  expect(received).toHaveLength(1);
});

test("an address that takes longer than a lease is called once", async () => {
  const hasty = await TestCoordinator.open({
    url: await freshPostgres(),
    limits: { leaseSeconds: 5 },
    webhooks: { allowPrivate: ["127.0.0.1"], variables: { API_KEY: "s3cret" } },
  });
  await hasty.save(hooked("slow", address));
  received.length = 0;
  const runner = await hasty.runner();
  const { run_id } = await hasty.start("slow", { slow: true });
  const run = await runner.claim();
  await runner.complete(run);
  expect(received).toHaveLength(1);
  const { hooks } = await hasty.ended(run_id);
  expect(hooks).toMatchObject([{ state: "done", attempt: 1 }]);
  expect(hooks[0]?.duration_ms).toBeGreaterThanOrEqual(5_400);
  await hasty.close();
});

test.each([
  ["http://169.254.7.7/hook", "link-local"],
  ["http://[fe80::1]/hook", "link-local"],
  ["http://0xa9fea9fe/latest", "metadata"],
  ["http://0.0.0.0:8080/", "unspecified"],
])(
  "a hook at %s, which is %s, is refused when it is saved, unless its address is allowed",
  async (url, kind) => {
    const { on_run_start } = hooked("never", url).hooks ?? {};
    const refused = {
      status: 422,
      detail: expect.stringContaining(`(${kind}) may not be called by http hooks`),
    };
    expect((await coordinator.admin.put("/agents/never", hooked("never", url))).body).toMatchObject({
      ...refused,
      code: "bad_blueprint",
      field: "hooks.on_run_start.url",
    });
    expect((await coordinator.admin.put("/hooks/never", on_run_start)).body).toMatchObject({
      ...refused,
      code: "bad_hook",
      field: "url",
    });
  },
);

test("a hook at a link-local address that the coordinator allows is saved", async () => {
  const near = await TestCoordinator.open({
    url: await freshPostgres(),
    webhooks: { allowPrivate: ["169.254.7.0/24"] },
  });
  expect((await near.admin.put("/agents/near", hooked("near", "http://169.254.7.7/hook"))).status).toBe(201);
  await near.close();
});

test("a URL that may not be called blocks the run, with the reason", async () => {
  await coordinator.save(hooked("refused", "http://127.0.0.2/latest"));
  const { run_id } = await coordinator.start("refused");
  const runner = await coordinator.runner();
  expect(await runner.next(0.5)).toBeUndefined();
  expect(await coordinator.ended(run_id)).toMatchObject({
    status: "failed",
    error_code: "hook_failed",
    hooks: [
      {
        state: "failed",
        target_type: "http",
        error: expect.stringContaining("127.0.0.2 (loopback) may not be called"),
      },
    ],
  });
});
