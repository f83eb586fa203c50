import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand } from "./curl-command.ts";

const run = {
  agent_name: "hello",
  parameters: { message: "changed" },
  original_parameters: null,
  execution_mode: "async_poll",
} as const;

/** The arguments that a shell parses from the command, with a token. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for arg in "$@"; do printf '%s\\0' "$arg"; done; }\n${command}`;
  const env = { ...process.env, TENTERHOOK_TOKEN: "tenterhook_secret" };
  return execFileSync("sh", ["-c", script], { env, encoding: "utf8" }).split("\0").slice(0, -1);
}

test("the command is a POST with the reader's token", () => {
  const command = curlCommand(run, "http://127.0.0.1:4100");
  expect(command).toContain("$TENTERHOOK_TOKEN");
  expect(argumentsOf(command)).toEqual([
    "--fail-with-body",
    "http://127.0.0.1:4100/runs",
    "--header",
    "Authorization: Bearer tenterhook_secret",
    "--header",
    "Content-Type: application/json",
    "--data-raw",
    '{"agent_name":"hello","parameters":{"message":"changed"}}',
  ]);
});

test("the command sends the original parameters, not those that a hook changed", () => {
  const command = curlCommand({ ...run, original_parameters: { message: "first" } }, "http://a");
  expect(command).toContain('{"message":"first"}');
});

test("the command keeps the mode sync, and drops async_callback, which needs a parent session", () => {
  expect(curlCommand({ ...run, execution_mode: "sync" }, "http://a")).toContain('"execution_mode":"sync"');
  expect(curlCommand({ ...run, execution_mode: "async_callback" }, "http://a")).not.toContain(
    "execution_mode",
  );
});

test.each([
  "it's",
  "'; rm -rf / #",
  "$(id) `id` $HOME",
  'a "quoted" back\\slash \\',
  "two\nlines\ttabbed",
  "%s !! * ? ~ {a,b}",
  "ünïcode 日本 🎣",
  "''",
  "@file",
])("a shell passes %j on unchanged", (message) => {
  const body = argumentsOf(curlCommand({ ...run, parameters: { message } }, "http://a")).at(-1) ?? "";
  expect(JSON.parse(body).parameters).toEqual({ message });
});
