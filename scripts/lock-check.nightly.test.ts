import { execFile } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("./lock-check.mjs", import.meta.url));

/** A package with a binding for each system, as a lockfile names them. */
const PACKAGES = {
  "": { name: "project", dependencies: { fast: "^2.0.0" } },
  "node_modules/fast": {
    version: "2.0.0",
    integrity: integrity("fast"),
    optionalDependencies: {
      "@fast/darwin-arm64": "2.0.0",
      "@fast/linux-arm64-gnu": "2.0.0",
      "@fast/linux-arm64-musl": "2.0.0",
      "@fast/linux-x64-gnu": "2.0.0",
    },
  },
  "node_modules/@fast/darwin-arm64": locked("darwin-arm64", { os: ["darwin"], cpu: ["arm64"] }),
  "node_modules/@fast/linux-arm64-gnu": locked("linux-arm64-gnu", {
    os: ["linux"],
    cpu: ["arm64"],
    libc: ["glibc"],
  }),
  "node_modules/@fast/linux-arm64-musl": locked("linux-arm64-musl", {
    os: ["linux"],
    cpu: ["arm64"],
    libc: ["musl"],
  }),
  "node_modules/@fast/linux-x64-gnu": locked("linux-x64-gnu", { os: ["linux"], cpu: ["x64"] }),
};

const BINDINGS = ["@fast/darwin-arm64", "@fast/linux-arm64-gnu", "@fast/linux-x64-gnu"];

function locked(name: string, systems: Readonly<Record<string, readonly string[]>>) {
  return { version: "2.0.0", integrity: integrity(name), optional: true, ...systems };
}

function integrity(name: string): string {
  return `sha512-${Buffer.from(name.padEnd(64)).toString("base64")}`;
}

describe("a registry that responds", () => {
  test("has every binding: the check passes and counts those for Linux with glibc", async () => {
    const { code, output } = await check(PACKAGES, await registry(BINDINGS));
    expect(output).toBe("The registry has the 2 bindings that the lockfile names for Linux x64 and arm64.\n");
    expect(code).toBe(0);
  });

  test("lacks a package: the check fails and names the package, its version and its system", async () => {
    const { code, output } = await check(PACKAGES, await registry(without("@fast/linux-arm64-gnu")));
    expect(output).toContain("@fast/linux-arm64-gnu@2.0.0 (linux-arm64): the registry does not have it.");
    expect(output).not.toContain("@fast/linux-x64-gnu");
    expect(code).toBe(1);
  });

  test("has a package in another version only: the check fails and names it", async () => {
    const other = await registry(BINDINGS, { "@fast/linux-x64-gnu": "2.0.1" });
    const { code, output } = await check(PACKAGES, other);
    expect(output).toContain("@fast/linux-x64-gnu@2.0.0 (linux-x64): the registry does not have it.");
    expect(code).toBe(1);
  });

  test("has other content under a version: the check fails and shows both integrities", async () => {
    const changed = {
      ...PACKAGES,
      "node_modules/@fast/linux-x64-gnu": {
        ...PACKAGES["node_modules/@fast/linux-x64-gnu"],
        integrity: integrity("changed"),
      },
    };
    const { code, output } = await check(changed, await registry(BINDINGS));
    expect(output).toContain(`the lockfile's integrity is ${integrity("changed")}`);
    expect(output).toContain(`the registry's is ${integrity("linux-x64-gnu")}`);
    expect(code).toBe(1);
  });

  test("lacks a binding for macOS: the check warns and passes", async () => {
    const { code, output } = await check(PACKAGES, await registry(without("@fast/darwin-arm64")));
    expect(output).toContain("Warning, for macOS and Windows only:\n  @fast/darwin-arm64@2.0.0");
    expect(code).toBe(0);
  });
});

describe("a lockfile that lacks what a package asks for", () => {
  test("without an entry for Linux the check fails and names the binding and the package that asks for it", async () => {
    const { "node_modules/@fast/linux-arm64-gnu": _, ...rest } = PACKAGES;
    const { code, output } = await check(rest, await registry(BINDINGS));
    expect(output).toContain(
      "@fast/linux-arm64-gnu@2.0.0: fast@2.0.0 asks for it, and the lockfile lacks it.",
    );
    expect(code).toBe(1);
  });

  test("without an entry for musl the check passes, and without one for macOS it warns", async () => {
    const {
      "node_modules/@fast/linux-arm64-musl": _musl,
      "node_modules/@fast/darwin-arm64": _darwin,
      ...rest
    } = PACKAGES;
    const { code, output } = await check(rest, await registry(BINDINGS));
    expect(output).toContain("@fast/darwin-arm64@2.0.0: fast@2.0.0 asks for it, and the lockfile lacks it.");
    expect(output).not.toContain("musl");
    expect(code).toBe(0);
  });

  test("an entry further up in another version does not count as the binding that is asked for", async () => {
    const nested = {
      ...PACKAGES,
      "node_modules/user/node_modules/fast": {
        version: "1.0.0",
        integrity: integrity("fast 1"),
        optionalDependencies: { "@fast/linux-x64-gnu": "1.0.0" },
      },
    };
    const { code, output } = await check(nested, await registry(BINDINGS));
    expect(output).toContain(
      "@fast/linux-x64-gnu@1.0.0: fast@1.0.0 asks for it, and the lockfile has 2.0.0.",
    );
    expect(code).toBe(1);
  });
});

describe("a lockfile without an integrity", () => {
  test.each([
    "node_modules/fast",
    "node_modules/@fast/linux-arm64-musl",
    "node_modules/@fast/darwin-arm64",
    "packages/tool/node_modules/nested",
  ])("for %s fails the check, which names the package", async (path) => {
    const entry = { version: "2.0.0", ...Object.entries(PACKAGES).find(([name]) => name === path)?.[1] };
    const packages = { ...PACKAGES, [path]: { ...entry, integrity: undefined } };
    const { code, output } = await check(packages, await registry(BINDINGS));
    expect(output).toContain(
      `${path.split("node_modules/")[1]}@2.0.0: the lockfile has no integrity for it.`,
    );
    expect(code).toBe(1);
  });

  test("for a workspace and the link to it passes the check", async () => {
    const workspace = {
      "packages/tool": { name: "tool", version: "1.0.0" },
      "node_modules/tool": { resolved: "packages/tool", link: true },
    };
    const { code } = await check({ ...PACKAGES, ...workspace }, await registry(BINDINGS));
    expect(code).toBe(0);
  });
});

describe("a registry that cannot be asked", () => {
  test.each([
    ["refuses connections", "ECONNREFUSED", refused],
    ["responds with status 500", "E500", () => serve((_, response) => response.writeHead(500).end("{}"))],
    ["responds with status 403", "E403", () => serve((_, response) => response.writeHead(403).end("{}"))],
    [
      "sends broken JSON",
      "unreadable response|FETCH_ERROR",
      () => serve((_, response) => response.end('{"name": ')),
    ],
    [
      "sends a page",
      "unreadable response|FETCH_ERROR",
      () => serve((_, response) => response.end("<html>hello</html>")),
    ],
    ["cuts the connection", "ECONNRESET", () => serve((request) => request.socket.destroy())],
    ["never responds", "FETCH_ERROR|[A-Z_]*TIMEOUT", () => serve(() => undefined)],
  ])("%s: the check fails, says so and names no host", async (_, reason, start) => {
    const url = await start();
    const { code, output } = await check(PACKAGES, url);
    expect(output).toMatch(
      new RegExp(`^The registry could not be asked about 2 of 2 bindings \\((${reason})\\)`),
    );
    expect(output).not.toContain("does not have it");
    expect(output).not.toContain(new URL(url).hostname);
    expect(output).not.toContain(new URL(url).port);
    expect(code).toBe(1);
  });

  test("a host name that does not exist fails the check, and is not named", async () => {
    const { code, output } = await check(PACKAGES, "http://registry.invalid/");
    expect(output).toMatch(
      /^The registry could not be asked about 2 of 2 bindings \((ENOTFOUND|EAI_AGAIN)\)/,
    );
    expect(output).not.toContain("invalid");
    expect(code).toBe(1);
  });
});

test.each([
  ["is missing", undefined, "cannot be read"],
  ["is not JSON", "{", "cannot be read"],
  ["is of npm 6", '{ "lockfileVersion": 1, "dependencies": {} }', 'has no "packages"'],
])("a lockfile that %s fails the check, which names the file", async (_, text, message) => {
  const path = join(temporaryFolder(), "package-lock.json");
  if (text !== undefined) writeFileSync(path, text);
  const { code, output } = await run(path, "http://127.0.0.1:9/");
  expect(output).toContain(`${path} ${message}`);
  expect(code).toBe(1);
});

function check(packages: object, url: string): Promise<Checked> {
  const path = join(temporaryFolder(), "package-lock.json");
  writeFileSync(path, JSON.stringify({ lockfileVersion: 3, packages }));
  return run(path, url);
}

interface Checked {
  readonly code: number | string;
  readonly output: string;
}

function run(path: string, url: string): Promise<Checked> {
  const env = {
    PATH: process.env.PATH,
    HOME: temporaryFolder(),
    npm_config_registry: url,
    npm_config_fetch_timeout: "1000",
    npm_config_fetch_retries: "0",
  };
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, path], { env }, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, output: stderr + stdout }),
    );
  });
}

function without(name: string): readonly string[] {
  return BINDINGS.filter((binding) => binding !== name);
}

/** A registry with these packages, as npm reads it. Returns its URL. */
function registry(
  names: readonly string[],
  versions: Readonly<Record<string, string>> = {},
): Promise<string> {
  return serve((request, response) => {
    const name = decodeURIComponent(request.url ?? "").slice(1);
    if (!names.includes(name)) {
      response.writeHead(404).end('{"error":"Not found"}');
      return;
    }
    const version = versions[name] ?? "2.0.0";
    const dist = {
      integrity: integrity(name.split("/")[1] ?? ""),
      tarball: `http://${request.headers.host}/x.tgz`,
    };
    const packument = {
      name,
      "dist-tags": { latest: version },
      versions: { [version]: { name, version, dist } },
    };
    response.setHeader("content-type", "application/json").end(JSON.stringify(packument));
  });
}

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => close(server));
  return listen(server);
}

async function refused(): Promise<string> {
  const server = createServer();
  const url = await listen(server);
  close(server);
  await once(server, "close");
  return url;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  return `http://127.0.0.1:${address.port}/`;
}

function close(server: Server): void {
  server.closeAllConnections();
  server.close();
}
