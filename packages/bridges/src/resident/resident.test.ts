import { chmodSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { formatAbout, parseAbout } from "./about.ts";
import { findFolderProblem, findPathProblem, makeResidentFolder, residentFolder } from "./folder.ts";
import { formatMessage, LONGEST_MESSAGE, MessageReader } from "./messages.ts";
import { formatStatusRequest, readRequest } from "./request.ts";
import { formatAnswer } from "./response.ts";

const UID = process.getuid?.() ?? 0;
const SECRET = "0123456789abcdef0123456789abcdef";
const ABOUT = { pid: 6789, secret: SECRET, proof: "f".repeat(32) };
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
  const two = `${SECRET} ${SECRET}`;
  for (const text of [
    "",
    "6789\n",
    ` 6789 ${two}\n`,
    `6789 ${two}`,
    `0 ${two}\n`,
    `1 ${two}0\n`,
    `1 ${SECRET}\n`,
  ])
    expect(parseAbout(text)).toBeUndefined();
});

test("messages are put together again, however they are cut", () => {
  const contents = ["one", "", "\0\n", "x".repeat(300), "é"];
  const sent = Buffer.concat(contents.map(formatMessage));
  for (const size of [1, 2, 3, 5, 7, sent.length]) {
    const reader = new MessageReader();
    const received: string[] = [];
    for (let at = 0; at < sent.length; at += size)
      received.push(...reader.add(sent.subarray(at, at + size)).map(String));
    expect(received).toEqual(contents);
  }
});

test("a message that is too long is refused by its length, before it has come", () => {
  const longest = formatMessage(Buffer.alloc(LONGEST_MESSAGE));
  expect(new MessageReader().add(longest)[0]?.length).toBe(LONGEST_MESSAGE);
  const longer = formatMessage(Buffer.alloc(LONGEST_MESSAGE + 1));
  expect(() => new MessageReader().add(longer.subarray(0, 4))).toThrow("too long");
});

/** The request that a front would send. */
function callRequest(args: readonly string[], env: readonly string[], count = args.length): Buffer {
  const parts = ["call", SECRET, 4321, 4322, "/work dir", count, ...args, ...env];
  return Buffer.from(parts.map((part) => `${part}\0`).join(""));
}

test("a request gives back folder, arguments and environment, whatever is in them", () => {
  const args = ["--client", "claude", "--entry", "", "a\nb"];
  const entries = ["A=1\n2=3", "EMPTY=", "A=second", "_=/usr/bin/perl", "6789=x", "é=ü"];
  const env = { A: "1\n2=3", EMPTY: "", _: process.execPath, "6789": "x", é: "ü" };
  expect(readRequest(callRequest(args, entries), ABOUT)).toEqual({
    ...{ type: "call", cwd: "/work dir", caller: 4321, front: 4322, args, env },
  });
  expect(readRequest(Buffer.from(formatStatusRequest(ABOUT)), ABOUT)).toEqual({ type: "status" });
});

test("a request without the secret, of another kind, or with too few arguments, is refused", () => {
  const other = { ...ABOUT, secret: "e".repeat(32) };
  expect(() => readRequest(callRequest([], []), other)).toThrow("the secret");
  expect(() => readRequest(Buffer.alloc(100, "x"), ABOUT)).toThrow("the secret");
  expect(() => readRequest(Buffer.from(`other\0${SECRET}\0`), ABOUT)).toThrow("not complete");
  expect(() => readRequest(callRequest(["--client"], [], 9), ABOUT)).toThrow("not complete");
  expect(() => readRequest(callRequest(["--client"], ["A=1"]).subarray(0, -1), ABOUT)).toThrow(
    "not complete",
  );
});

test("an answer has its code, standard error as it is, and standard output as the script prints it", () => {
  const answer = { exit: 2, stdout: '{"a":"\\n"}\0\n\n', stderr: "one\n\ntwo\0\n" } as const;
  const parts = new MessageReader().add(formatAnswer(answer));
  expect(parts.map(String)).toEqual(["42", "one\n\ntwo\0\n", '{"a":"\\n"}\n']);
  const empty = new MessageReader().add(formatAnswer({ exit: 0, stdout: "\n", stderr: "" }));
  expect(empty.map(String)).toEqual(["40", "", ""]);
});
