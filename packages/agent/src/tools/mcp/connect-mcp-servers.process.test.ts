// biome-ignore-all lint/suspicious/noTemplateCurlyInString: that is how variables are written

import { execFile } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { connectMcpServers, type McpOptions } from "./connect-mcp-servers.ts";
import type { McpServers, StdioServerConfig } from "./parse-mcp-servers.ts";

const script = (name: string) => fileURLToPath(new URL(`./testing/${name}.mjs`, import.meta.url));
const FIXTURE = script("stdio-server");
const MUTE: StdioServerConfig = { command: process.execPath, args: [script("mute-server")] };
const FAILING: StdioServerConfig = { command: process.execPath, args: [script("failing-server")] };

const fixture = (...args: string[]): StdioServerConfig => ({
  command: process.execPath,
  args: [FIXTURE, ...args],
});

async function connect(servers: McpServers, options: McpOptions = {}) {
  const connections = await connectMcpServers(servers, options);
  onTestFinished(() => connections.close());
  const call = (name: string, input: object = {}): Promise<unknown> => {
    const execute = connections.tools[name]?.execute;
    if (execute === undefined) throw new Error(`there is no tool ${name}`);
    return execute(
      input as never,
      { abortSignal: new AbortController().signal } as never,
    ) as Promise<unknown>;
  };
  return { connections, call };
}

/** The same server, which writes down its process id. */
async function traced(server: StdioServerConfig) {
  const file = join(temporaryFolder(), "pid");
  const pid = () => Number(readFileSync(file, "utf8"));
  return { server: { ...server, env: { FIXTURE_PID: file } }, pid, file };
}

describe("starting", () => {
  test("servers are connected together, and their tools have their names before them", async () => {
    const { connections, call } = await connect({ one: fixture(), "the other": fixture() });
    expect(Object.keys(connections.tools)).toEqual(expect.arrayContaining(["one__echo", "the_other__echo"]));
    expect(connections.notices).toEqual([]);
    expect(await call("the_other__echo", { text: "hi" })).toBe("hi");
  });

  test("without servers there are no tools", async () => {
    expect((await connect({})).connections.tools).toEqual({});
  });

  test("a server that supports only the newest revision is connected with it", async () => {
    const { call } = await connect({ s: fixture("--new-only") });
    expect(await call("s__echo", { text: "hi" })).toBe("hi");
  });

  test("what a server prints beside the protocol is passed over", async () => {
    const { call } = await connect({ s: fixture("--chatty") });
    expect(await call("s__echo", { text: "hi" })).toBe("hi");
  });

  test("a server gets its variables filled in, and none of ours that it was not given", async () => {
    vi.stubEnv("OTHER_KEY", "secret");
    onTestFinished(() => void vi.unstubAllEnvs());
    const environment = { TOKEN: "t0ken" };
    const { call } = await connect({ s: { ...fixture(), env: { KEY: "is ${TOKEN}" } } }, { environment });
    expect(await call("s__environment", { name: "KEY" })).toBe("is t0ken");
    expect(await call("s__environment", { name: "OTHER_KEY" })).toBe("undefined");
  });

  test("a server starts in the work folder, or in the folder that it names there", async () => {
    const workDir = temporaryFolder();
    const below = await mkdtemp(join(workDir, "below-"));
    const servers = { at: fixture(), below: { ...fixture(), cwd: below.slice(workDir.length + 1) } };
    const { call } = await connect(servers, { workDir });
    expect([await call("at__folder"), await call("below__folder")]).toEqual([workDir, below]);
  });
});

describe("a start that fails", () => {
  const failure = (servers: McpServers, options?: McpOptions) =>
    connectMcpServers(servers, options).then(
      () => expect.unreachable("it started"),
      (error: unknown) => error,
    );

  test("reports the command, the exit and the stderr of a failed server", async () => {
    expect(await failure({ files: FAILING })).toMatchObject({
      code: "mcp_failed",
      message: `MCP server "files" (${process.execPath} ${script("failing-server")}): it ended with exit code 4.
The last lines of its stderr:
starting
no licence found`,
    });
  });

  test("reports a missing program, or a missing folder", async () => {
    expect(await failure({ s: { command: "no-such-program" } })).toMatchObject({
      code: "mcp_failed",
      message: 'MCP server "s" (no-such-program): it could not be started: spawn no-such-program ENOENT.',
    });
    expect(await failure({ s: { ...fixture(), cwd: "/no/such/folder" } })).toMatchObject({
      message: expect.stringContaining("there is no folder /no/such/folder"),
    });
  });

  test("a server that does not answer is ended after its timeout", async () => {
    const { server, pid } = await traced(MUTE);
    expect(await failure({ s: { ...server, timeoutMs: 8_000 } })).toMatchObject({
      code: "mcp_failed",
      message: expect.stringMatching(
        /it was not ready within 8000 ms\.\nThe last lines.*\nloading a large index$/,
      ),
    });
    expect(isAlive(pid())).toBe(false);
  });

  test("an address that refuses connections is reported without its query", async () => {
    const listener = createServer().listen(0, "127.0.0.1");
    await once(listener, "listening");
    const { port } = listener.address() as AddressInfo;
    listener.close();
    await once(listener, "close");
    expect(await failure({ s: { url: `http://127.0.0.1:${port}/mcp?key=secret` } })).toMatchObject({
      code: "mcp_failed",
      message: expect.stringMatching(/^MCP server "s" \(http:\/\/127\.0\.0\.1:\d+\/mcp\): .*ECONNREFUSED/),
    });
  });

  test("the others are ended with it", async () => {
    const { server: good, pid, file } = await traced(fixture());
    const bad = { ...FAILING, env: { FIXTURE_AFTER: file } };
    expect(await failure({ good, bad })).toMatchObject({
      message: expect.stringContaining('MCP server "bad"'),
    });
    expect(isAlive(pid())).toBe(false);
  });

  test("a signal aborts it, with the signal's reason, and leaves no process behind", async () => {
    const { server, pid } = await traced(MUTE);
    const controller = new AbortController();
    const failed = failure({ s: server }, { signal: controller.signal });
    await expect.poll(() => pid()).toBeGreaterThan(0);
    controller.abort(new Error("never mind"));
    expect(await failed).toEqual(new Error("never mind"));
    expect(isAlive(pid())).toBe(false);
  });

  test("an invalid configuration is rejected before anything is started", async () => {
    const { server: good, pid } = await traced(fixture());
    const bad = { url: "http://127.0.0.1", headers: { Authorization: "Bearer ${NO_SUCH_TOKEN}" } };
    expect(await failure({ good, bad }, { environment: {} })).toMatchObject({
      code: "bad_agent",
      message: 'MCP server "bad": headers.Authorization: the environment variable NO_SUCH_TOKEN is not set.',
    });
    expect(pid).toThrow("ENOENT");
  });

  test("a header that cannot be sent is named, and its value is not", async () => {
    const s = { url: "http://127.0.0.1", headers: { "X-Key": "${KEY}" } };
    const environment = { KEY: "sec\nret" };
    expect(await failure({ s }, { environment })).toMatchObject({
      message: 'MCP server "s": headers.X-Key cannot be sent as an HTTP header.',
    });
  });
});

describe("closing", () => {
  test.each([
    ["a server", []],
    ["a server that ignores the end of its input and SIGTERM", ["--stubborn"]],
    ["a server behind a parent", ["--behind-a-parent"]],
    ["a stubborn server behind a parent", ["--behind-a-parent", "--stubborn"]],
  ])("%s does not outlive it", async (_, args) => {
    const { server, pid } = await traced(fixture(...args));
    const { connections, call } = await connect({ server });
    expect(await call("server__echo", { text: "hi" })).toBe("hi");
    expect(isAlive(pid())).toBe(true);
    await connections.close();
    // A grandchild is waited for by the system, and not by us.
    await expect.poll(() => isAlive(pid())).toBe(false);
  });

  test("a server that ignores the end of its input does not outlive the process that started it", async () => {
    const { server, pid } = await traced(fixture("--stubborn"));
    const host = `
      import { connectMcpServers } from ${JSON.stringify(new URL("../../../dist/tools/mcp/connect-mcp-servers.js", import.meta.url).href)};
      await connectMcpServers(${JSON.stringify({ server })});
      process.exit(7);
    `;
    const ended = promisify(execFile)(process.execPath, ["--input-type=module", "-e", host]);
    await expect(ended).rejects.toMatchObject({ code: 7 });
    await expect.poll(() => isAlive(pid())).toBe(false);
  });

  test("twice has the effect of once, and calls after it fail at once", async () => {
    const { connections, call } = await connect({ s: fixture() });
    await Promise.all([connections.close(), connections.close()]);
    await connections.close();
    await expect(call("s__echo", { text: "hi" })).rejects.toMatchObject({
      code: "mcp_failed",
      message: expect.stringContaining("it was closed"),
    });
  });
});
