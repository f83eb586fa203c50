import { expect, test } from "vitest";
import { readCommand, readOutput } from "./read-command.ts";

test("a command is read from a text and from a list of words, with the other input beside it", () => {
  expect(readCommand({ command: "rm -rf build" })).toEqual({ command: "rm -rf build", rest: undefined });
  expect(readCommand({ command: ["bash", "-lc", "echo it's"], timeout: 5 })).toEqual({
    command: "bash -lc 'echo it'\\''s'",
    rest: { timeout: 5 },
  });
});

test.each([[{ path: "x" }], [{ command: "" }], [{ command: [] }], [{ command: [1] }], ["ls"], [null]])(
  "the input %j has no command",
  (input) => {
    expect(readCommand(input)).toBeUndefined();
  },
);

test("the output of a command has its ending only when it failed", () => {
  expect(readOutput({ stdout: "a\n", stderr: "", exit_code: 0 })).toMatchObject({ ending: undefined });
  expect(readOutput({ stdout: "", stderr: "no", exit_code: 2 })).toEqual({
    stdout: "",
    stderr: "no",
    ending: "exit code 2",
  });
  expect(readOutput({ stdout: "", stderr: "", exit_code: 137, signal: "SIGKILL" })?.ending).toBe(
    "ended by SIGKILL",
  );
  expect(readOutput({ text: "a" })).toBeUndefined();
});
