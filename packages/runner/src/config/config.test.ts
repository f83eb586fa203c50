import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { loadTools } from "./load-tools.ts";
import { findAccess } from "./local-access.ts";
import { parseRunnerConfig } from "./parse-runner-config.ts";
import { readRunnerConfig } from "./runner-from.ts";

function folder(files: Readonly<Record<string, string>> = {}): string {
  const made = temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(made, name, ".."), { recursive: true });
    writeFileSync(join(made, name), text);
  }
  return made;
}

describe("a configuration", () => {
  test("is read with its paths counted from its own folder", () => {
    const json = {
      url: "https://fleet.example.com",
      token_file: "secret/token",
      tags: ["gpu"],
      concurrency: 4,
      models: { fast: "openai-compatible:llama", demo: { provider: "scripted", script: [] } },
      mcp_servers: { files: { command: "files" } },
      tools: ["./tools.mjs"],
      work_dir: "../project",
    };
    expect(parseRunnerConfig(json, "/etc/tenterhook/runner.json")).toEqual({
      url: "https://fleet.example.com",
      tokenFile: "/etc/tenterhook/secret/token",
      tags: ["gpu"],
      concurrency: 4,
      models: json.models,
      mcpServers: json.mcp_servers,
      toolModules: ["./tools.mjs"],
      workDir: "/etc/project",
      baseDir: "/etc/tenterhook",
    });
  });

  test.each([
    [{ urll: "http://x" }, 'there is no field "urll". Did you mean url?'],
    [{ url: "ftp://x" }, "url: must be an address"],
    [{ concurrency: 0 }, "concurrency:"],
    [{ tags: ["a", ""] }, "tags.1:"],
    [{ models: { fast: 3 } }, "models.fast:"],
    [{ mcp_servers: { files: {} } }, 'mcp_servers: MCP server "files" has neither'],
    [{ token: "a", token_file: "b" }, "token_file: give token or token_file"],
    [[], "r.json: "],
  ])("%j is refused by the name of its field", (json, problem) => {
    expect(() => parseRunnerConfig(json, "r.json")).toThrow(problem);
    expect(() => parseRunnerConfig(json, "r.json")).toThrow(/^r\.json: /);
  });

  test("that is no JSON is refused by the name of its file", async () => {
    const file = join(folder({ "r.json": "{" }), "r.json");
    await expect(readRunnerConfig(file)).rejects.toMatchObject({
      code: "bad_runner",
      message: expect.stringContaining(file),
    });
  });
});

describe("the coordinator", () => {
  test("on the same machine is found through the address in its data folder", () => {
    const dir = folder({ token: "local\n", address: "http://127.0.0.1:4100\n" });
    const config = { baseDir: dir, coordinatorDir: dir };
    expect(findAccess(config, {})).toEqual({ url: "http://127.0.0.1:4100", token: "local" });
    const XDG_DATA_HOME = folder({ "tenterhook/token": "t", "tenterhook/address": "http://127.0.0.1:1" });
    expect(findAccess({ baseDir: dir }, { XDG_DATA_HOME })).toMatchObject({ token: "t" });
  });

  test("is called with the token of the configuration, its file, or the environment, in this order", () => {
    const dir = folder({ token: "local", address: "http://127.0.0.1:1", mine: " from file\n" });
    const base = { baseDir: dir, coordinatorDir: dir };
    const env = { TENTERHOOK_TOKEN: "from env" };
    const tokenOf = (config: object) => findAccess({ ...base, ...config }, env).token;
    expect(tokenOf({ token: "given", tokenFile: join(dir, "mine") })).toBe("given");
    expect(tokenOf({ tokenFile: join(dir, "mine") })).toBe("from file");
    expect(tokenOf({})).toBe("from env");
    expect(() => tokenOf({ tokenFile: join(dir, "none") })).toThrow("token_file cannot be read");
  });

  test("on another machine is never sent the token of this one", () => {
    const dir = folder({ token: "local", address: "http://127.0.0.1:1" });
    const config = { baseDir: dir, coordinatorDir: dir, url: "https://fleet.example.com" };
    expect(() => findAccess(config, {})).toThrow("lacks token");
    const near = { ...config, url: "http://127.0.0.1.example.com" };
    expect(() => findAccess(near, {})).toThrow("lacks token");
  });

  test("that does not exist is an error with advice", () => {
    const dir = folder();
    expect(() => findAccess({ baseDir: dir, coordinatorDir: dir }, {})).toThrow(/lacks url.*start one/);
  });
});

describe("modules of tools", () => {
  const TOOLS = "{ Echo: { inputSchema: { type: 'object' }, execute: (input) => input } }";

  test("export tools by name, or as their default", async () => {
    const dir = folder({
      "a.mjs": `export const tools = ${TOOLS};`,
      "b.mjs": `export default ${TOOLS.replace("Echo", "Other")};`,
    });
    expect(Object.keys(await loadTools(["./a.mjs", join(dir, "b.mjs")], dir))).toEqual(["Echo", "Other"]);
  });

  test("that cannot be used are refused by their name", async () => {
    const dir = folder({
      "a.mjs": `export const tools = ${TOOLS};`,
      "again.mjs": `export const tools = ${TOOLS};`,
      "none.mjs": "export const tool = 1;",
      "wrong.mjs": "export const tools = { Echo: 'echo' };",
      "broken.mjs": "throw new Error('it broke');",
    });
    const refused = (...modules: string[]) => expect(loadTools(modules, dir)).rejects;
    await refused("./a.mjs", "./again.mjs").toThrow('"./again.mjs": there is a tool "Echo" already');
    await refused("./none.mjs").toThrow("exports no tools");
    await refused("./wrong.mjs").toThrow('"Echo" is not a tool');
    await refused("./broken.mjs").toThrow('"./broken.mjs": it cannot be loaded: it broke');
    await refused("no-such-package").toThrow('"no-such-package": it cannot be loaded');
  });
});
