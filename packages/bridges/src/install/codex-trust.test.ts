import { expect, test } from "vitest";
import { client as codex } from "../clients/codex/index.ts";
import {
  codexHash,
  codexTrust,
  codexTrustProblems,
  codexTurnedOff,
  putCodexTrust,
  takeCodexTrust,
} from "./codex-trust.ts";
import { entriesFor } from "./entry.ts";
import { type EditedEntries, putJsonEntries } from "./json-entries.ts";
import { readToml } from "./toml-entries.ts";

const FORM = codex.configuration.entry;
const FILE = "/home/a b/.codex/hooks.json";
const entries = entriesFor(codex, {
  commandFor: (event) => `/d/tenterhook-bridge/hook --client codex --event ${event} --timeout 600`,
  failClosed: new Set(),
});
const installed = (text: string) =>
  (putJsonEntries(text, entries, { client: "codex", form: FORM, format: "json" }) as EditedEntries).text;

// What `codex app-server` of 0.166.0 reported for these handlers (`hooks/list`, `currentHash`).
test.each([
  [
    "PreToolUse",
    "*",
    `'/a b/x' "q" é`,
    600,
    "4ec39a0b2782f58e7eb3154f5872f9a2b33dd5c0c685aae2c2d2b70868e9874d",
  ],
  ["Stop", undefined, "x y", 600, "a750061ae77fd74e07ef1f598a9227ec38bd816b75e62dd5221eb785cdc418e0"],
  ["SessionEnd", undefined, "x y", 3, "f65e6f069827cfa72a55a0bacaed12e9859c486aa16f55ce4054a8827941e0f4"],
])("the hash of %s is the one that Codex computes", (event, matcher, command, timeout, hash) => {
  expect(codexHash(event, matcher, { type: "command", command, timeout })).toBe(`sha256:${hash}`);
});

test("only our own entries are trusted, by where they stand", () => {
  const foreign = JSON.stringify({
    hooks: { PreToolUse: [{ matcher: "x", hooks: [{ type: "command", command: "evil" }] }] },
  });
  const trust = codexTrust(FILE, installed(foreign), FORM);
  expect(trust.find(({ event }) => event === "PreToolUse")?.key).toBe(`${FILE}:pre_tool_use:1:0`);
  expect(trust.find(({ event }) => event === "Stop")?.key).toBe(`${FILE}:stop:0:0`);
  expect(trust.some(({ key }) => key.endsWith("pre_tool_use:0:0"))).toBe(false);
});

test("hashes are recorded beside what config.toml has, once, and come out again", () => {
  const config = '# mine\nmodel = "gpt"\n\n[hooks.state."/other:stop:0:0"]\ntrusted_hash = "sha256:a"\n';
  const trust = codexTrust(FILE, installed("{}"), FORM);
  const put = putCodexTrust(config, trust);
  if ("problem" in put) throw new Error(put.problem);
  expect(put.text.startsWith(config)).toBe(true);
  expect(codexTrustProblems(put.text, trust)).toEqual([]);
  expect(putCodexTrust(put.text, trust)).toEqual({ text: put.text, changed: [] });
  expect(takeCodexTrust(put.text, trust).trimEnd()).toBe(config.trimEnd());
});

test("an entry that has moved is noticed, and trusted where it stands now", () => {
  const before = installed("{}");
  const put = putCodexTrust("", codexTrust(FILE, before, FORM));
  const config = "problem" in put ? "" : put.text;
  const parsed = JSON.parse(before);
  parsed.hooks.PreToolUse.unshift({ matcher: "x", hooks: [{ type: "command", command: "theirs" }] });
  const moved = codexTrust(FILE, JSON.stringify(parsed), FORM);
  expect(codexTrustProblems(config, moved)).toEqual([expect.stringContaining("PreToolUse has moved")]);
  const again = putCodexTrust(config, moved);
  expect(codexTrustProblems("problem" in again ? "" : again.text, moved)).toEqual([]);
});

test("another hash under our key is replaced where it stands, and what else is there stays", () => {
  const [first] = codexTrust(FILE, installed("{}"), FORM);
  const config = `[hooks.state.${JSON.stringify(first?.key)}]\nenabled = true\ntrusted_hash = "sha256:old" # by hand\n\n[x]\na = 1\n`;
  const put = putCodexTrust(config, first === undefined ? [] : [first]);
  if ("problem" in put) throw new Error(put.problem);
  expect(readToml(put.text)).toEqual({
    hooks: { state: { [first?.key ?? ""]: { enabled: true, trusted_hash: first?.hash } } },
    x: { a: 1 },
  });
});

test("a config.toml that cannot be read, or not be added to, is left alone", () => {
  const trust = codexTrust(FILE, installed("{}"), FORM);
  expect(putCodexTrust("a = ", trust)).toMatchObject({ problem: expect.stringContaining("line 1") });
  expect(putCodexTrust("hooks = { state = {} }\n", trust)).toMatchObject({
    problem: expect.stringContaining("hooks.state"),
  });
});

test("an entry that is turned off in Codex is reported", () => {
  const trust = codexTrust(FILE, installed("{}"), FORM);
  const put = putCodexTrust("", trust);
  const off = ("problem" in put ? "" : put.text).replace("trusted_hash", "enabled = false\ntrusted_hash");
  expect(codexTurnedOff(off, trust)).toEqual([trust[0]?.event]);
});
