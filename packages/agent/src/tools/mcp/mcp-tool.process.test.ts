import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { executeTool } from "../execute-tool.ts";
import { connectMcpServers } from "./connect-mcp-servers.ts";
import type { McpServerConfig } from "./parse-mcp-servers.ts";

const script = (name: string) => fileURLToPath(new URL(`./testing/${name}.mjs`, import.meta.url));
const OVER_STDIO: McpServerConfig = { command: process.execPath, args: [script("stdio-server")] };

interface HttpFixture {
  readonly url: string;
  readonly process: ChildProcessWithoutNullStreams;
  /** What it prints from now on, line by line. */
  readonly lines: AsyncIterator<string>;
}

/** Registers cleanup: of a test, by default of the current one, or of a group. */
type AtEnd = (close: () => void | Promise<void>) => void;

async function httpServer(
  args: string[] = [],
  env: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
): Promise<HttpFixture> {
  const server = spawn(process.execPath, [script("http-server"), ...args], {
    env: { ...process.env, ...env },
  });
  atEnd(() => void server.kill("SIGKILL"));
  server.stderr.resume();
  const lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  const { value: url } = await lines.next();
  return { url, process: server, lines };
}

async function connect(
  server: McpServerConfig,
  environment: Record<string, string> = {},
  atEnd: AtEnd = onTestFinished,
) {
  const connections = await connectMcpServers({ s: server }, { environment });
  atEnd(() => connections.close());
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

type Connected = Awaited<ReturnType<typeof connect>>;

/** One server for all tests of a group, because it takes longer to start than they take. */
function connectedOnce(server: (atEnd: AtEnd) => Promise<McpServerConfig>): Connected["call"] {
  let connected: Connected;
  const closes: (() => void | Promise<void>)[] = [];
  const atEnd: AtEnd = (close) => void closes.unshift(close);
  beforeAll(async () => {
    connected = await connect(await server(atEnd), {}, atEnd);
  });
  afterAll(async () => {
    for (const close of closes) await close();
  });
  return (...args) => connected.call(...args);
}

const failed = (code: string, text: string) =>
  expect.objectContaining({ code, message: expect.stringContaining(text) });

describe.each<[string, (atEnd: AtEnd) => Promise<McpServerConfig>]>([
  ["over stdio", async () => OVER_STDIO],
  ["over HTTP", async (atEnd) => ({ url: (await httpServer([], {}, atEnd)).url })],
  ["over HTTP with sessions", async (atEnd) => ({ url: (await httpServer(["--sessions"], {}, atEnd)).url })],
])("a tool %s", (_, server) => {
  const call = connectedOnce(server);

  test("a tool of a server answers with its text, its structure, or its blocks", async () => {
    expect(await call("echo", { text: "hi" })).toBe("hi");
    expect(await call("read_file")).toBe("dotted");
    expect(await call("weather")).toEqual({ celsius: 21 });
    expect(await call("two_texts")).toEqual([
      { type: "text", text: "one" },
      { type: "text", text: "two" },
    ]);
  });

  test("a tool of a server that reports an error fails with the server's words", async () => {
    await expect(call("fail")).rejects.toEqual(
      failed("tool_failed", 'The tool "fail" of MCP server "s" failed: the disk is full'),
    );
    await expect(call("refuse")).rejects.toEqual(failed("tool_failed", "not with these parameters"));
    expect(await call("echo", { text: "still here" })).toBe("still here");
  });

  test("a tool of a server whose call is aborted is cancelled, and rejects with the signal's reason", async () => {
    const controller = new AbortController();
    const waiting = call("wait", { id: "w" }, controller.signal);
    await expect.poll(() => call("waits")).toMatchObject({ waiting: ["w"] });
    controller.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    await expect.poll(() => call("waits")).toEqual({ waiting: [], cancelled: ["w"] });
    await expect(call("echo", { text: "hi" }, controller.signal)).rejects.toThrow("enough");
  });

  // The last one: it ends the server.
  test("a tool of a server whose server exits during a call fails, and so does every later call, at once", async () => {
    const other = call("wait", { id: "w" });
    other.catch(() => undefined);
    await expect.poll(() => call("waits")).toMatchObject({ waiting: ["w"] });
    const both = Promise.allSettled([other, call("die")]);
    const rejected = { status: "rejected", reason: failed("mcp_failed", 'MCP server "s" (') };
    expect(await both).toEqual([rejected, rejected]);
    await expect(call("echo", { text: "hi" })).rejects.toEqual(failed("mcp_failed", 'MCP server "s" ('));
  });
});

describe("a result", () => {
  const call = connectedOnce(async () => OVER_STDIO);

  test("keeps images and resources, by the names that we have for their fields", async () => {
    expect(await call("picture")).toEqual([
      { type: "text", text: "a pixel" },
      { type: "image", mediaType: "image/png", data: expect.stringMatching(/^iVBOR/) },
      { type: "resource", uri: "note://1", mediaType: "text/plain", text: "a note" },
      { type: "resource_link", uri: "note://2", name: "another" },
    ]);
  });

  test("with a structure and an image has both", async () => {
    expect(await call("chart")).toEqual({
      structuredContent: { bars: 3 },
      content: [{ type: "image", mediaType: "image/png", data: expect.any(String) }],
    });
  });

  test("that is empty is an empty text", async () => {
    expect(await call("silent")).toBe("");
  });

  test("that does not match its output schema is returned nevertheless", async () => {
    expect(await call("unkept_promise")).toEqual({ celsius: "warm" });
  });
});

// Side by side, because the time has to suffice for the start as well, and most of it is waited for.
test.concurrent.for<[string, (atEnd: AtEnd) => Promise<McpServerConfig>]>([
  ["over stdio", async () => OVER_STDIO],
  ["over HTTP", async (atEnd) => ({ url: (await httpServer([], {}, atEnd)).url })],
])(
  "a tool %s that takes longer than its server's timeout is cancelled",
  async ([, server], { expect, onTestFinished }) => {
    const config = { ...(await server(onTestFinished)), timeoutMs: 10_000 };
    const { connections, call } = await connect(config, {}, onTestFinished);
    const { timeoutMs } = connections.tools.s__wait ?? {};
    expect(timeoutMs).toBe(10_000);
    // As the agent runs it.
    const waiting = executeTool("s__wait", (signal) => call("wait", { id: "w" }, signal), {
      signal: new AbortController().signal,
      timeoutMs: 10_000,
    });
    await expect(waiting).rejects.toEqual(
      failed("tool_timeout", 'the tool "s__wait" took longer than 10000 ms.'),
    );
    await expect.poll(() => call("waits")).toEqual({ waiting: [], cancelled: ["w"] });
  },
);

test("a server whose message does not end is ended", async () => {
  const { call } = await connect(OVER_STDIO);
  await expect(call("flood")).rejects.toEqual(
    failed("mcp_failed", "it sent a message of more than 10485760 bytes"),
  );
});

test("the exit and the stderr of a process are reported with the failure", async () => {
  const { call } = await connect(OVER_STDIO);
  const expected = failed(
    "mcp_failed",
    "it ended with exit code 3.\nThe last lines of its stderr:\nout of luck",
  );
  await expect(call("die")).rejects.toEqual(expected);
  await expect(call("echo", { text: "hi" })).rejects.toEqual(expected);
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
