import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliDecompressSync } from "node:zlib";
import { beforeEach, expect, test } from "vitest";
import { CommandSandbox, ended, type Ran } from "../testing/command-sandbox.ts";

/** What `tenterhook install` of version 0.1.0 left on a machine; `<root>` and `<node>` stand for paths. */
interface EarlierInstallation {
  /** The clients' files before it, by their paths below the home folder. */
  readonly original: Readonly<Record<string, string>>;
  /** `<sha256 of PATH>` stands for the digest of a file that has such paths. */
  readonly files: Readonly<Record<string, { readonly mode: number; readonly text: string }>>;
  /** Calls of clients, and how its bridge ended. */
  readonly calls: readonly {
    readonly client: string;
    readonly command: string;
    readonly stdin: { readonly session_id: string };
    readonly ended: Ran;
  }[];
  /** What `tenterhook log` printed afterwards. */
  readonly log: { readonly printed: string; readonly json: string };
}

const PACKED = readFileSync(new URL("../../../../test/fixtures/installed-0.1.0.json.br", import.meta.url));
const TEXT = brotliDecompressSync(PACKED).toString();
/** The one that the script of the earlier version names. */
const PATH = "/usr/local/bin:/usr/bin:/bin";

let sandbox: CommandSandbox;
let earlier: EarlierInstallation;

beforeEach(() => {
  sandbox = new CommandSandbox();
  earlier = JSON.parse(TEXT.replaceAll("<root>", sandbox.root).replaceAll("<node>", process.execPath));
  const digest = (name: string) =>
    createHash("sha256")
      .update(earlier.files[name]?.text ?? "")
      .digest("hex");
  for (const [name, { mode, text }] of Object.entries(earlier.files)) {
    const whole = text.replace(/<sha256 of ([^>]+)>/g, (_, file: string) => digest(file));
    sandbox.write(join(sandbox.root, name), whole, mode);
  }
});

const run = (...args: readonly string[]) => sandbox.run(args, { env: { PATH } });

/** Starts the command that stands in the client's file, as the client does. */
function call({ command, stdin }: EarlierInstallation["calls"][number], session = ""): Promise<Ran> {
  const child = spawn("/bin/sh", ["-c", command], { cwd: sandbox.project, env: sandbox.env({ PATH }) });
  child.stdin.on("error", () => undefined);
  child.stdin.end(JSON.stringify({ ...stdin, session_id: stdin.session_id + session }));
  return ended(child);
}

const callAll = async (session?: string) => {
  const results: Ran[] = [];
  for (const each of earlier.calls) results.push(await call(each, session));
  return results;
};
const expected = () => earlier.calls.map((each) => each.ended);

/** The files of the clients that `install` has changed or made. */
const clientFiles = () =>
  Object.fromEntries(
    Object.keys(earlier.files)
      .filter((name) => /^home\/\.(?:claude|codex|gemini|copilot)\//.test(name))
      .map((name) => join(sandbox.root, name))
      .map((path) => [
        path.slice(sandbox.home.length + 1),
        existsSync(path) ? sandbox.read(path) : undefined,
      ]),
  );

test("bridges that version 0.1.0 installed refuse and allow as they did, in four clients", async () => {
  expect(new Set(earlier.calls.map(({ client }) => client)).size).toBe(4);
  expect(new Set(expected().map(({ code }) => code))).toEqual(new Set([0, 2]));
  expect(await callAll()).toEqual(expected());
});

test("install replaces the bridge of version 0.1.0, and its hooks and its trust count as before", async () => {
  const folder = join(sandbox.home, ".local", "share", "tenterhook-bridge");
  const script = sandbox.read(join(folder, "hook"));
  sandbox.write(join(folder, "hook"), script.replace(/^bridge=.*$/m, "bridge=/gone"), 0o755);
  const before = clientFiles();
  expect(await run("install", "claude", "codex", "gemini", "copilot")).toMatchObject({ code: 0, stderr: "" });
  const bridge = /^bridge=(.*)$/m.exec(sandbox.read(join(folder, "hook")))?.[1] ?? "";
  const built = new URL("../../dist/bin/bridge/", import.meta.url);
  for (const name of readdirSync(built)) {
    expect(readFileSync(join(bridge, "..", name)).equals(readFileSync(new URL(name, built))), name).toBe(
      true,
    );
  }
  // Codex trusts a command by a digest that depends on the folder, so only its own file is written again.
  expect({ ...clientFiles(), ".codex/config.toml": "" }).toEqual({ ...before, ".codex/config.toml": "" });
  expect(await callAll()).toEqual(expected());
  expect(await run("doctor")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("Nothing is wrong."),
  });
});

test("uninstall removes what version 0.1.0 installed, and the clients' files are as they were", async () => {
  expect(await run("uninstall")).toMatchObject({ code: 0, stderr: "" });
  const gone = Object.fromEntries(Object.keys(clientFiles()).map((path) => [path, undefined]));
  expect(clientFiles()).toEqual({ ...gone, ...earlier.original });
  expect(existsSync(join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook"))).toBe(false);
});

test("uninstall removes what install has put in the place of version 0.1.0", async () => {
  expect(await run("install", "claude", "codex", "gemini", "copilot")).toMatchObject({ code: 0 });
  expect(await run("uninstall")).toMatchObject({ code: 0, stderr: "" });
  const gone = Object.fromEntries(Object.keys(clientFiles()).map((path) => [path, undefined]));
  expect(clientFiles()).toEqual({ ...gone, ...earlier.original });
});

test("log prints what version 0.1.0 has logged, word for word, and what is added to it", async () => {
  expect(await run("log")).toEqual({ code: 0, stdout: earlier.log.printed, stderr: "" });
  const read = (lines: string) =>
    lines
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const logged = read(earlier.log.json).map(({ told, ...record }) => ({ ...record, reported: told }));
  expect(logged).toContainEqual(expect.objectContaining({ reported: "block" }));
  expect(read((await run("log", "--json")).stdout)).toEqual(logged);
  await callAll(" again");
  const { stdout } = await run("log");
  expect(stdout.startsWith(earlier.log.printed)).toBe(true);
  expect(stdout.match(/session \S+ again/g)).toHaveLength(8);
});
