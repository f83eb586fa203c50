import { expect, test } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { commandLine, findCommands } from "./command-call.ts";

const list = (...items: unknown[]) => items;

test.each<[string, Record<string, unknown>, string]>([
  ["a text", { command: "rm -rf /" }, "rm -rf /"],
  ["cmd", { cmd: "rm -rf /" }, "rm -rf /"],
  ["script, though it is a path", { script: "./deploy.sh" }, "./deploy.sh"],
  ["shell_command", { shell_command: "ls" }, "ls"],
  ["names in another case", { Command: "ls" }, "ls"],
  ["names in capitals", { CMD: "ls" }, "ls"],
  ["names in camel case", { shellCommand: "ls" }, "ls"],
  ["names with a dash", { "shell-command": "ls" }, "ls"],
  ["a name in the plural", { commands: ["ls"] }, "ls"],
  ["an empty text", { command: "" }, ""],
  ["the words of a command line", { command: ["rm", "-rf", "/"] }, "rm -rf /"],
  ["a nested object", { input: { command: "ls" } }, "ls"],
  ["nested arguments of another name", { args: { cmd: "ls" } }, "ls"],
  [
    "a nested object with a list beside",
    { call: { command: "rm", args: ["-rf", "a b"] } },
    "rm -rf 'a b'\na b",
  ],
  ["a list of objects", { steps: [{ command: "a" }, { command: "b" }] }, "a\nb"],
  ["calls of tools in a list", { calls: [{ name: "x", arguments: { command: "ls" } }] }, "ls"],
  ["arguments as JSON text", { name: "x", arguments: '{"command":"ls"}' }, "ls"],
  ["two arguments", { command: "a", script: "b" }, "a\nb"],
  ["an object in the place of the text", { command: { run: "rm" } }, '{"run":"rm"}'],
  ["an object that has the command inside", { command: { cmd: "ls" } }, "ls"],
  ["a list with numbers and objects", { command: ["nice", 5, { a: 1 }] }, `nice 5 '{"a":1}'`],
])("the commands of a tool are found in %s", (_, input, text) => {
  expect(findCommands(input)?.text).toBe(text);
});

test.each<[string, Record<string, unknown>]>([
  ["no arguments", {}],
  ["a number", { command: 5 }],
  ["a truth value", { script: true }],
  ["null", { cmd: null }],
  ["names that only contain the word", { commander: "x", description: "cmd", subcommandName: "y" }],
  ["the content of a file that is written", { path: ".mcp.json", content: '{"command":"npx"}' }],
  ["arguments that are a text", { args: "command" }],
  ["arguments that are no JSON", { args: "{command" }],
])("%s are no commands", (_, input) => {
  expect(findCommands(input)).toBeUndefined();
});

test("arguments that cannot be read through may be commands", () => {
  const wide = { rows: Array.from({ length: 20_000 }, () => ({ a: 1 })) };
  expect(findCommands(wide)).toEqual({ text: undefined, argument: undefined });
  const deep = { a: { b: { c: { d: { e: { f: { command: "rm" } } } } } } };
  expect(findCommands(deep)).toEqual({ text: undefined, argument: undefined });
});

test("only a text at the top can be put back", () => {
  expect(findCommands({ cmd: "ls", cwd: "/" })?.argument).toBe("cmd");
  for (const input of [{ cmd: ["ls"] }, { a: { cmd: "ls" } }, { cmd: "a", script: "b" }])
    expect(findCommands(input)?.argument).toBeUndefined();
});

test.each([
  [list("rm", "-rf", "/"), "rm -rf /"],
  [list("bash", "-lc", "rm -rf /"), "bash -lc 'rm -rf /'\nrm -rf /"],
  [list("cd /x", "rm -rf ."), "'cd /x' 'rm -rf .'\ncd /x\nrm -rf ."],
  [list("echo", "it's"), "echo 'it'\\''s'"],
  [list(), ""],
])("the list %j becomes a command line, and items with blanks are commands too", (items, line) => {
  expect(commandLine(items)).toBe(line);
});

test("a megabyte of arguments is read in a moment", () => {
  const input = {
    text: "x".repeat(1 << 20),
    args: `{"a":"${"y".repeat(1 << 20)}"}`,
    cmd: "z".repeat(1 << 20),
  };
  const startedAt = threadTimeMs();
  expect(findCommands(input)?.argument).toBe("cmd");
  expect(threadTimeMs() - startedAt).toBeLessThan(1_000);
});
