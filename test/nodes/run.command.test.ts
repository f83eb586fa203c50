import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test } from "vitest";
import { newestOf } from "./supported-versions.ts";

const RUN = fileURLToPath(new URL("./dist/nodes/run.js", import.meta.url));

describe("the version of a line", () => {
  const versions = [
    "20.9.1",
    "20.19.0",
    "20.20.0",
    "20.20.10",
    "20.20.2",
    "22.1.0",
    "22.2.0-rc.1",
    "220.1.0",
  ];
  test.each([
    ["20.20", "20.20.10"],
    ["20", "20.20.10"],
    ["22", "22.1.0"],
  ])("the newest of %s is %s, by number and without prereleases", (line, version) => {
    expect(newestOf(line, versions)).toEqual({ line, version });
  });

  test("a line that npm does not have is a problem with its name", () => {
    expect(newestOf("24", versions)).toEqual({ line: "24", problem: "npm has no version of it" });
  });
});

describe("a version that cannot be installed", () => {
  test("fails by name for each line when the registry refuses connections, and no host is named", async () => {
    const { code, output } = await run("http://127.0.0.1:9/");
    expect(output).toContain("✗ Node 20.19.0 cannot be installed: npm install failed (ECONNREFUSED)");
    for (const line of ["20.20", "22", "24", "26"])
      expect(output).toContain(
        `✗ Node ${line} cannot be installed: its newest version is unknown: npm view failed (ECONNREFUSED)`,
      );
    expect(output).toContain("5 failed.");
    expect(output).not.toContain("127.0.0.1");
    expect(code).toBe(1);
  });

  test("fails by name when the registry lacks it, and leaves nothing in the cache", async () => {
    const url = await serve((_, response) => response.writeHead(404).end('{"error":"Not found"}'));
    const cache = temporaryFolder();
    const { code, output } = await run(url, cache);
    expect(output).toContain("✗ Node 20.19.0 cannot be installed: npm install failed (E404)");
    expect(readdirSync(cache)).toEqual([]);
    expect(code).toBe(1);
  });
});

function run(registry: string, cache = temporaryFolder()): Promise<{ code: unknown; output: string }> {
  const env = {
    PATH: process.env.PATH,
    HOME: temporaryFolder(),
    TENTERHOOK_TEST_NODES: cache,
    npm_config_registry: registry,
    npm_config_fetch_retries: "0",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stdout + stderr }),
    );
  });
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  return `http://127.0.0.1:${address.port}/`;
}
