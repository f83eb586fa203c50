import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { formatAbout, parseAbout } from "./about.ts";
import { findFolderProblem, findPathProblem, makeResidentFolder, residentFolder } from "./folder.ts";
import { LONGEST_HEAD, readRequestHead } from "./request.ts";
import { formatResponse } from "./response.ts";

const UID = process.getuid?.() ?? 0;
const SECRET = "0123456789abcdef0123456789abcdef";
const ABOUT = { pid: 6789, secret: SECRET };
const OWNER = {
  version: "1.0.0",
  node: "/usr/bin/node",
  bridge: "/home/a/bridge.js",
  home: "/home/a",
  configHome: "/home/a/.config",
  stateHome: "/home/a/.local/state",
  cacheHome: "/home/a/.cache",
};

function privateFolder(): string {
  const folder = join(temporaryFolder(), "private");
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

test("the folder is in XDG_RUNTIME_DIR if that is the user's alone, else in /tmp", () => {
  const runtime = privateFolder();
  const inRuntime = residentFolder(OWNER, { XDG_RUNTIME_DIR: runtime }, UID);
  expect(inRuntime).toMatch(new RegExp(`^${runtime}/tenterhook/[0-9a-f]{16}$`));
  const elsewhere = /^\/tmp\/tenterhook-\d+\/[0-9a-f]{16}$/;
  chmodSync(runtime, 0o755);
  for (const value of [runtime, "relative", "", `${runtime}/missing`, undefined])
    expect(residentFolder(OWNER, { XDG_RUNTIME_DIR: value }, UID)).toMatch(elsewhere);
});

test.each(Object.keys(OWNER) as (keyof typeof OWNER)[])("another %s has another folder", (key) => {
  const changed = { ...OWNER, [key]: `${OWNER[key]}2` };
  expect(residentFolder(changed, {}, UID)).not.toBe(residentFolder(OWNER, {}, UID));
});

test("a folder whose socket would have a path of more than 103 bytes is refused", () => {
  const longest = `/${"é".repeat(47)}x`;
  expect(findPathProblem(longest)).toBeUndefined();
  expect(findPathProblem(`${longest}y`)).toBe(
    "the path of its socket has 104 bytes, and at most 103 are possible",
  );
});

test("the folder and the one above it are created with mode 0700, and again accepted", () => {
  const folder = join(privateFolder(), "tenterhook", "key");
  expect(makeResidentFolder(folder, UID)).toBeUndefined();
  expect(makeResidentFolder(folder, UID)).toBeUndefined();
  expect([folder, join(folder, "..")].map((path) => statSync(path).mode & 0o7777)).toEqual([0o700, 0o700]);
});

test("a folder that is a link, of another mode, of another user or a file is refused", () => {
  const parent = join(privateFolder(), "tenterhook");
  mkdirSync(parent, { mode: 0o700 });
  const folder = join(parent, "key");
  mkdirSync(folder, { mode: 0o700 });
  const link = join(parent, "link");
  symlinkSync(folder, link);
  expect(makeResidentFolder(link, UID)).toBe(`${link} is a link`);
  expect(findFolderProblem(folder, UID + 1)).toBe(`${folder} belongs to another user`);
  chmodSync(folder, 0o750);
  expect(makeResidentFolder(folder, UID)).toBe(`${folder} has mode 0750, not 0700`);
  chmodSync(parent, 0o1777);
  expect(makeResidentFolder(folder, UID)).toBe(`${parent} has mode 01777, not 0700`);
  expect(findFolderProblem("/dev/null", UID)).toBe("/dev/null is not a folder");
});

test("the line about the resident process is read back, and nothing else is", () => {
  expect(parseAbout(formatAbout(ABOUT))).toEqual(ABOUT);
  for (const text of ["", "6789\n", ` 6789 ${SECRET}\n`, `6789 ${SECRET}`, `0 ${SECRET}\n`, `1 ${SECRET}0\n`])
    expect(parseAbout(text)).toBeUndefined();
});

/** The body that a script would send. */
function body(args: readonly string[], env: readonly string[], text: string): Buffer {
  const entries = [formatAbout(ABOUT).trim(), "/work dir", "4321", String(args.length), ...args, ...env];
  const stat = "9 (cat) R 555 2 3\n";
  return Buffer.from(`${entries.map((entry) => `${entry}\0`).join("")}${stat}${formatAbout(ABOUT)}${text}`);
}

test("a request gives back folder, arguments and environment, whatever is in them", () => {
  const args = ["--client", "claude", "--entry", "", "a\nb"];
  const env = ["A=1\n2=3", "EMPTY=", "A=second", "_=/usr/bin/cat", "6789=x", "é=ü"];
  const text = `\0\n{"a": "${formatAbout(ABOUT)}"}\n\n`;
  const received = body(args, env, text);
  const head = readRequestHead(received, ABOUT);
  expect(head).toMatchObject({ cwd: "/work dir", caller: 4321, args, sender: 555 });
  expect(head?.env).toEqual({ A: "1\n2=3", EMPTY: "", _: process.execPath, "6789": "x", é: "ü" });
  expect(received.subarray(head?.length).toString()).toBe(text);
});

test("a request is read once its head is complete, however it is cut", () => {
  const received = body(["--client", "claude"], ["A=1"], "");
  for (let length = 0; length < received.length; length++)
    expect(readRequestHead(received.subarray(0, length), ABOUT)).toBeUndefined();
  expect(readRequestHead(received, ABOUT)?.length).toBe(received.length);
});

test("a request without the secret, or with too few arguments, is refused", () => {
  const other = { ...ABOUT, secret: "f".repeat(32) };
  expect(() => readRequestHead(body([], [], ""), other)).toThrow("the secret");
  expect(() => readRequestHead(Buffer.alloc(100, "x"), ABOUT)).toThrow("does not begin with");
  const endless = Buffer.concat([body([], [], "").subarray(0, 60), Buffer.alloc(LONGEST_HEAD)]);
  expect(() => readRequestHead(endless, ABOUT)).toThrow("too long");
  const cut = Buffer.from(body(["--client"], [], "").toString().replace("\x001\0", "\x009\0"));
  expect(() => readRequestHead(cut, ABOUT)).toThrow("not complete");
});

test("a response has four lines, whatever is in its parts", () => {
  const answer = { type: "answer", exit: 2, stdout: '{"a":"\\n"}\n\n', stderr: "one\n\ntwo\0\n" } as const;
  expect(formatResponse(SECRET, answer)).toBe(
    `${SECRET} 42\neone\\n\\ntwo\\n\no{"a":"\\\\n"}\n${SECRET} end\n`,
  );
  expect(formatResponse(SECRET, { type: "cold", text: "text-1" })).toBe(
    `${SECRET} cold\ne\notext-1\n${SECRET} end\n`,
  );
});
