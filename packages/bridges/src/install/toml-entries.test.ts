import { describe, expect, test } from "vitest";
import { client as kimi } from "../clients/kimi/index.ts";
import { entriesFor } from "./entry.ts";
import type { EditedEntries, Untouched } from "./json-entries.ts";
import { putTomlEntries, readToml, takeTomlEntries } from "./toml-entries.ts";
import { tomlSections } from "./toml-sections.ts";

const AT = { client: "kimi", list: "hooks" };
const entries = (folder = "/d") =>
  entriesFor(kimi, {
    commandFor: (event) => `'${folder}/tenterhook-bridge/hook' --client kimi --event ${event} --timeout 600`,
    failClosed: new Set(),
  });
const done = (result: EditedEntries | Untouched) => {
  if ("problem" in result) throw new Error(result.problem);
  return result;
};

const FILES: Readonly<Record<string, string>> = {
  nothing: "",
  "a plain file": 'model = "k2"\n',
  "no line end at the end": 'model = "k2"',
  "numbers of 64 bits": "since = 9223372036854775807\nat = 1979-05-27T07:32:00Z\n",
  CRLF: 'model = "k2"\r\n\r\n[providers.a]\r\nkey = "x"\r\n',
  "comments, tables and a foreign hook": `# mine
model = "k2" # best

[[hooks]] # first
event = "Stop"
command = "a.sh" # [[hooks]]

# about the loop
[loop]
list = [
  "[x]", # [y]
  [1, 2],
]
text = """
[[hooks]]
command = "no"
"""
`,
};

describe.each(Object.entries(FILES))("%s", (_, text) => {
  test("gets our entries and loses nothing, and they come out again", () => {
    const { text: after, added } = done(putTomlEntries(text, entries(), AT));
    expect(added).toContain("PreToolUse");
    expect(after.startsWith(text)).toBe(true);
    const { text: back } = done(takeTomlEntries(after, AT));
    expect(back.trimEnd()).toBe(text.trimEnd());
    expect(done(putTomlEntries(after, entries(), AT))).toEqual({
      text: after,
      created: [],
      added: [],
      changed: [],
      removed: [],
    });
  });
});

test("an entry of another folder is replaced, and what stands around it stays", () => {
  const old = done(
    putTomlEntries(FILES["comments, tables and a foreign hook"] ?? "", entries("/old"), AT),
  ).text;
  const edited = `${old}\n# later\n[later]\nx = 1\n`;
  const { text, changed } = done(putTomlEntries(edited, entries(), AT));
  expect(changed).toContain("PreToolUse");
  expect(text).not.toContain("/old/");
  expect(text).toContain("# later\n[later]\nx = 1\n");
  const back = done(takeTomlEntries(text, AT)).text;
  expect(readToml(back)).toEqual({
    ...(readToml(FILES["comments, tables and a foreign hook"] ?? "") as object),
    later: { x: 1 },
  });
});

test.each([
  ["model = ", /line 1/],
  ['hooks = [{ event = "Stop", command = "a" }]\n', /cannot be added to; write it as \[\[hooks\]\]/],
  ["[hooks]\na = 1\n", /cannot be added to; write it as \[\[hooks\]\]/],
])("%j is left unchanged, and the reason is returned", (text, problem) => {
  expect(putTomlEntries(text, entries(), AT)).toEqual({ problem: expect.stringMatching(problem) });
});

test("a path with quotes, spaces and line ends comes back as it was", () => {
  const folder = `/home/it"s mine/\\ü\n'x'`;
  const { text } = done(putTomlEntries("", entries(folder), AT));
  const { hooks } = readToml(text) as { hooks: { command: string }[] };
  expect(hooks[0]?.command).toContain(folder);
  expect(done(takeTomlEntries(text, AT)).text).toBe("");
});

test("headers are distinguished from lists, strings and comments", () => {
  const headers = tomlSections(FILES["comments, tables and a foreign hook"] ?? "").map(
    ({ header }) => header,
  );
  expect(headers).toEqual(["", "[[hooks]]", "[loop]"]);
  expect(tomlSections("[a.\"b]c\"]\nx = '['\n[ d ]").map(({ header }) => header)).toEqual([
    "",
    '[a."b]c"]',
    "[ d ]",
  ]);
});
