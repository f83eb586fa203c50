import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectMcpServers } from "./connect-mcp-servers.ts";
import type { McpServerConfig } from "./server-config.ts";

const script = (name: string) => fileURLToPath(new URL(`./fixtures/${name}.mjs`, import.meta.url));
const OVER_STDIO: McpServerConfig = { command: process.execPath, args: [script("stdio-server")] };

interface HttpFixture {
  readonly url: string;
  readonly process: ChildProcessWithoutNullStreams;
  /** What it prints from now on, line by line. */
  readonly lines: AsyncIterator<string>;
}

async function httpServer(args: string[] = [], env: Record<string, string> = {}): Promise<HttpFixture> {
  const server = spawn(process.execPath, [script("http-server"), ...args], {
    env: { ...process.env, ...env },
  });
  onTestFinished(() => void server.kill("SIGKILL"));
  server.stderr.resume();
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  return { url, process: server, lines };
}

async function connect(server: McpServerConfig, environment: Record<string, string> = {}) {
  const connections = await connectMcpServers({ s: server }, { environment });
  onTestFinished(() => connections.close());
  const call = (
    tool: string,
    input: object = {},
    abortSignal = new AbortController().signal,
  ): Promise<unknown> => {
    const execute = connections.tools[`s__${tool}`]?.execute;
    if (execute === undefined) throw new Error(`there is no tool ${tool}`);
    return execute(input as never, { abortSignal } as never) as Promise<unknown>;
  };
  return { connections, call };
}

const failed = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });

describe.each<[string, () => Promise<McpServerConfig>]>([
  ["over stdio", async () => OVER_STDIO],
  ["over HTTP", async () => ({ url: (await httpServer()).url })],
  ["over HTTP with sessions", async () => ({ url: (await httpServer(["--sessions"])).url })],
])("a tool %s", (_, server) => {
  test("answers with its text, its structure, or its blocks", async () => {
    const { call } = await connect(await server());
    expect(await call("echo", { text: "hi" })).toBe("hi");
    expect(await call("read_file")).toBe("dotted");
    expect(await call("weather")).toEqual({ celsius: 21 });
    expect(await call("two_texts")).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]);
  });

  test("that reports an error fails with the server's words", async () => {
    const { call } = await connect(await server());
    await expect(call("fail")).rejects.toEqual(
      failed("tool_failed", 'The tool "fail" of MCP server "s" failed: the disk is full'),
    );
    await expect(call("refuse")).rejects.toEqual(failed("tool_failed", "not with these parameters"));
    expect(await call("echo", { text: "still here" })).toBe("still here");
  });

  test("whose call is aborted is cancelled, and rejects with the signal's reason", async () => {
    const { call } = await connect(await server());
    const controller = new AbortController();
    const waiting = call("wait", { id: "w" }, controller.signal);
    await vi.waitFor(async () => expect(await call("waits")).toMatchObject({ waiting: ["w"] }), 10_000);
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await vi.waitFor(
      async () => expect(await call("waits")).toEqual({ waiting: [], cancelled: ["w"] }),
      10_000,
    );
    await expect(call("echo", { text: "hi" }, controller.signal)).rejects.toThrow("enough");
  });

  test("whose server dies in mid call fails, and so does every call after it, at once", async () => {
    const { call } = await connect(await server());
    const other = call("wait", { id: "w" });
    other.catch(() => undefined);
    await vi.waitFor(async () => expect(await call("waits")).toMatchObject({ waiting: ["w"] }), 10_000);
    const both = Promise.allSettled([other, call("die")]);
    const rejected = { status: "rejected", reason: failed("mcp_failed", 'MCP server "s" (') };
    expect(await both).toEqual([rejected, rejected]);
    await expect(call("echo", { text: "hi" })).rejects.toEqual(failed("mcp_failed", 'MCP server "s" ('));
  });
});

describe("a result", () => {
  test("keeps images and resources, by the names that we have for their fields", async () => {
    const { call } = await connect(OVER_STDIO);
    expect(await call("picture")).toEqual([
      { type: "text", text: "a pixel" },
      { type: "image", mediaType: "image/png", data: expect.stringMatching(/^iVBOR/) },
      { type: "resource", uri: "note://1", mediaType: "text/plain", text: "a note" },
      { type: "resource_link", uri: "note://2", name: "another" },
    ]);
  });

  test("with a structure and an image has both", async () => {
    const { call } = await connect(OVER_STDIO);
    expect(await call("chart")).toEqual({
      structuredContent: { bars: 3 },
      content: [{ type: "image", mediaType: "image/png", data: expect.any(String) }],
    });
  });

  test("that is empty is an empty text", async () => {
    expect(await (await connect(OVER_STDIO)).call("silent")).toBe("");
  });

  test("that is not what its schema promised is given all the same", async () => {
    expect(await (await connect(OVER_STDIO)).call("unkept_promise")).toEqual({ celsius: "warm" });
  });
});

test.each<[string, () => Promise<McpServerConfig>]>([
  ["over stdio", async () => OVER_STDIO],
  ["over HTTP", async () => ({ url: (await httpServer()).url })],
])("a tool %s that takes longer than its server's timeout is cancelled", async (_, server) => {
  const { connections, call } = await connect({ ...(await server()), timeoutMs: 3_000 });
  expect(connections.tools.s__wait?.timeoutMs).toBe(3_000);
  await expect(call("wait", { id: "w" })).rejects.toEqual(
    failed("tool_timeout", 'The tool "wait" of MCP server "s" took longer than 3000 ms.'),
  );
  await vi.waitFor(
    async () => expect(await call("waits")).toEqual({ waiting: [], cancelled: ["w"] }),
    10_000,
  );
});

test("a server whose message does not end is ended", async () => {
  const { call } = await connect(OVER_STDIO);
  await expect(call("flood")).rejects.toEqual(
    failed("mcp_failed", "it sent a message of more than 10485760 bytes"),
  );
});

test("how a process ended, and its last words, are told with the failure", async () => {
  const { call } = await connect(OVER_STDIO);
  const told = failed("mcp_failed", "it ended with exit code 3.\nThe last lines of its stderr:\nout of luck");
  await expect(call("die")).rejects.toEqual(told);
  await expect(call("echo", { text: "hi" })).rejects.toEqual(told);
});

test("headers are sent with their variables filled in", async () => {
  const { url } = await httpServer([], { TOKEN: "t0ken" });
  // biome-ignore lint/suspicious/noTemplateCurlyInString: that is how variables are written
  const headers = { Authorization: "Bearer ${KEY}" };
  const { call } = await connect({ url, headers }, { KEY: "t0ken" });
  expect(await call("echo", { text: "hi" })).toBe("hi");
  await expect(connect({ url, headers }, { KEY: "wrong" })).rejects.toEqual(failed("mcp_failed", "401"));
});

test("a session is ended with its connection", async () => {
  const { url, lines } = await httpServer(["--sessions"]);
  const { connections } = await connect({ url });
  await connections.close();
  expect((await lines.next()).value).toBe("over 1");
});

test("a server that was restarted at its address can be called again", async () => {
  const first = await httpServer();
  const { call } = await connect({ url: first.url });
  await expect(call("die")).rejects.toEqual(failed("mcp_failed", "MCP server"));
  await httpServer(["--port", new URL(first.url).port]);
  expect(await call("echo", { text: "hi again" })).toBe("hi again");
});
