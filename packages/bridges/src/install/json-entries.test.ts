import { describe, expect, test } from "vitest";
import { client as claude } from "../clients/claude/index.ts";
import { client as gemini } from "../clients/gemini/index.ts";
import type { Client } from "../definition/client.ts";
import { entriesFor } from "./entry.ts";
import { type EditedEntries, putJsonEntries, takeJsonEntries } from "./json-entries.ts";

const at = ({ id, configuration: { entry } }: Client, format: "json" | "jsonc" = "json") => ({
  client: id,
  form: entry,
  format,
});
const entries = (client: Client, failClosed: readonly string[] = [], folder = "/d") =>
  entriesFor(client, {
    commandFor: (event) =>
      `${folder}/tenterhook-bridge/hook --client ${client.id} --event ${event} --timeout 600`,
    failClosed: new Set(failClosed),
  });

function put(text: string, client: Client = claude, format: "json" | "jsonc" = "json"): EditedEntries {
  const result = putJsonEntries(text, entries(client), at(client, format));
  if ("problem" in result) throw new Error(result.problem);
  return result;
}

function take(
  text: string,
  created: EditedEntries["created"],
  client: Client = claude,
  format: "json" | "jsonc" = "json",
) {
  const result = takeJsonEntries(text, at(client, format), created);
  if ("problem" in result) throw new Error(result.problem);
  return result.text;
}

/** Files as people and tools leave them. */
const FILES: Readonly<Record<string, string>> = {
  "an empty object": "{}",
  "an empty object with a line end": "{}\n",
  "an object over lines": '{\n  "model": "opus"\n}\n',
  "one line": '{"model":"opus","permissions":{"allow":["Bash"]}}',
  tabs: '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"Stop": []\n\t}\n}\n',
  "four spaces and CRLF": '{\r\n    "model": "opus"\r\n}\r\n',
  "no line end at the end": '{\n  "model": "opus"\n}',
  "foreign hooks": `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine.sh" }] }
    ],
    "Stop": []
  },
  "env": { "A": "1" }
}
`,
  "foreign hooks on one line": '{\n  "hooks": { "PreToolUse": [{ "hooks": [] }] }\n}\n',
  "keys that are odd":
    '{\n  "__proto__": { "a": 1 },\n  "constructor": 2,\n  "naïve \\u00e9": "\\ud83d\\ude00"\n}\n',
};

describe.each(Object.entries(FILES))("%s", (_, text) => {
  test("gets our entries, keeps all that it had, and is the same again without them", () => {
    const { text: after, created, added } = put(text);
    expect(added).toContain("PreToolUse");
    const before = JSON.parse(text);
    const now = JSON.parse(after);
    for (const key of Object.keys(before)) if (key !== "hooks") expect(now[key]).toEqual(before[key]);
    for (const [event, list] of Object.entries<unknown[]>(before.hooks ?? {}))
      expect(now.hooks[event].slice(0, list.length)).toEqual(list);
    expect(now.hooks.PreToolUse.at(-1)).toEqual(
      entries(claude).find(({ event }) => event === "PreToolUse")?.value,
    );
    expect(take(after, created)).toBe(text);
  });

  test("does not change when it is done again", () => {
    const { text: after } = put(text);
    expect(put(after)).toEqual({ text: after, created: [], added: [], changed: [], removed: [] });
  });
});

const COMMENTED = `// settings
{
  // hooks of mine
  "hooks": {
    "BeforeTool": [
      { "matcher": "x", "hooks": [] }, // the first
      { "matcher": "y", "hooks": [] } // the second
    ],
    "AfterTool": [
      // nothing yet
    ], // so be it
  },
  /* the end */
}
`;

test("comments and trailing commas stay where they are, and our entries come out again", () => {
  const { text, created } = put(COMMENTED, gemini, "jsonc");
  for (const line of COMMENTED.split("\n").filter((each) => each.includes("//") && !each.includes("second")))
    expect(text).toContain(line);
  expect(text).toContain('{ "matcher": "y", "hooks": [] }, // the second\n      {');
  expect(take(text, created, gemini, "jsonc")).toBe(COMMENTED);
});

test("an entry that is out of date is replaced where it stands, and its neighbours do not move", () => {
  const { text } = put(FILES["foreign hooks"] ?? "");
  const later = text.replace(
    /("PreToolUse": \[[\s\S]*?\n {4})\]/,
    '$1  ,{ "hooks": [{ "type": "command", "command": "later.sh" }] }]',
  );
  expect(JSON.parse(later).hooks.PreToolUse).toHaveLength(3);
  const again = putJsonEntries(later, entries(claude, ["PreToolUse"]), at(claude));
  expect(again).toMatchObject({ changed: ["PreToolUse"], added: [], removed: [] });
  const list = JSON.parse((again as EditedEntries).text).hooks.PreToolUse;
  expect(list.map((each: { hooks: { command: string }[] }) => each.hooks[0]?.command)).toEqual([
    "mine.sh",
    expect.stringContaining("--event PreToolUse"),
    "later.sh",
  ]);
  expect(list[1].hooks[0].onFailure).toBe("block");
});

test("entries of another version are changed, and those of events that are no longer wanted go", () => {
  const { text } = put("{}");
  const old = text
    .replaceAll("/d/tenterhook-bridge", "/old/tenterhook-bridge")
    .replaceAll("PreCompact", "PreNothing");
  const again = put(old);
  expect(again.removed).toEqual(["PreNothing"]);
  expect(again.added).toEqual(["PreCompact"]);
  expect(JSON.stringify(JSON.parse(again.text))).not.toContain("/old/");
});

test("a handler that a person put beside others is left there, and only it is taken out", () => {
  const wanted = entries(claude).find(({ event }) => event === "Stop")?.value as { hooks: unknown[] };
  const mixed = JSON.stringify({
    hooks: { Stop: [{ hooks: [{ type: "command", command: "a" }, ...wanted.hooks] }] },
  });
  const { text } = put(mixed);
  expect(JSON.parse(text).hooks.Stop).toHaveLength(1);
  expect(JSON.parse(take(text, [])).hooks.Stop).toEqual([{ hooks: [{ type: "command", command: "a" }] }]);
});

test("what a person added around our entries stays when they are taken out", () => {
  const { text, created } = put("{}\n");
  const edited = text
    .replace('"hooks": {', '"theme": "dark",\n  "hooks": {\n    "Mine": [],')
    .replace(/("Stop": \[)/, '$1\n      { "hooks": [] },');
  expect(JSON.parse(take(edited, created))).toEqual({
    theme: "dark",
    hooks: { Mine: [], Stop: [{ hooks: [] }] },
  });
});

test.each([
  ['{ "a": 1, }', "json", /line 1/],
  ["{ // no\n}", "json", /comment/],
  ["{", "json", /line 1/],
  ["[]", "json", /no object/],
  ['{"hooks": []}', "json", /"hooks" is no object/],
  ['{"hooks": {"Stop": {}}}', "json", /"hooks\.Stop" is no list/],
  ['{"hooks": {}, "hooks": {}}', "json", /the key "hooks" twice/],
  ['{"hooks": {"Stop": [], "Stop": []}}', "json", /the key "Stop" twice/],
] as const)("%s is left unchanged, and the reason is returned", (text, format, problem) => {
  expect(putJsonEntries(text, entries(claude), at(claude, format))).toEqual({
    problem: expect.stringMatching(problem),
  });
});
