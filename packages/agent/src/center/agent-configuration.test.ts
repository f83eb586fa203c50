import { describe, expect, test } from "vitest";
import { parseAgentConfiguration } from "./agent-file.ts";

const least = { id: "a", name: "A", description: "", modelName: "gpt-4", instructions: "" };

describe("an agent's configuration", () => {
  test("has nine fields, and lists that are absent are empty", () => {
    expect(parseAgentConfiguration(least)).toEqual({
      ...least,
      toolNames: [],
      mcpServerNames: [],
      preHookNames: [],
      postHookNames: [],
    });
  });

  test("survives JSON unchanged", () => {
    const whole = {
      ...least,
      toolNames: ["Shell"],
      mcpServerNames: ["files"],
      preHookNames: ["input-validator", "request-logger"],
      postHookNames: ["response-logger"],
    };
    const parsed = parseAgentConfiguration(JSON.stringify(whole));
    expect(parsed).toEqual(whole);
    expect(JSON.parse(JSON.stringify(parsed))).toEqual(whole);
  });

  test("may list stream hooks and subagents beside the nine", () => {
    const more = { streamHookNames: ["ticker"], subagents: ["b"] };
    expect(parseAgentConfiguration({ ...least, ...more })).toMatchObject(more);
  });

  test("cannot be changed later, neither through the copy nor through the original", () => {
    const preHookNames = ["a"];
    const parsed = parseAgentConfiguration({ ...least, preHookNames });
    preHookNames.push("b");
    expect(parsed.preHookNames).toEqual(["a"]);
    expect(() => (parsed.preHookNames as string[]).push("c")).toThrow(TypeError);
  });

  test("is rejected with all its problems at once, and the agent's name", () => {
    const wrong = {
      id: "a",
      name: "",
      description: "",
      instructions: 5,
      preHookName: ["x"],
      toolNames: "Shell",
      mcpServerNames: ["files", 5],
      postHookNames: ["log", "log"],
    };
    expect(() => parseAgentConfiguration(wrong)).toThrow(
      expect.objectContaining({
        code: "bad_agent",
        message: [
          'agent "a": there is no field "preHookName" (did you mean "preHookNames"?)',
          "name must not be empty",
          "modelName must be a text",
          "instructions must be a text",
          "toolNames must be a list of names",
          "mcpServerNames must be a list of names",
          'postHookNames has "log" twice.',
        ].join("; "),
      }),
    );
  });

  test.each([
    ["{oops", /an agent is not JSON/],
    ["[]", /must be an object/],
    [undefined, /must be an object/],
    [{ ...least, id: undefined }, /an agent without an id: id must be a text/],
    [JSON.parse('{"__proto__": 1}'), /no field "__proto__"/],
  ])("is not read from %j", (json, message) => {
    expect(() => parseAgentConfiguration(json)).toThrow(message);
  });
});
