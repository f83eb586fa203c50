import { TenterhookError } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { spanFailure } from "./span-failure.ts";

const secret = "s3cret";

describe("the type of a failure", () => {
  test.each<[string, unknown]>([
    ["TypeError", new TypeError(secret)],
    ["ENOENT", Object.assign(new Error(secret), { code: "ENOENT" })],
    ["AbortError", new DOMException(secret, "AbortError")],
    ["429", Object.assign(new Error(secret), { name: "AI_APICallError", statusCode: 429 })],
    ["tool_timeout", new TenterhookError("tool_timeout", secret)],
    ["_OTHER", Object.assign(new Error(secret), { name: `${secret} of a user` })],
    ["Error", Object.assign(new Error(secret), { code: `no file ${secret}` })],
    ["_OTHER", secret],
    ["_OTHER", undefined],
  ])("is %s, and has no other attributes", (type, error) => {
    const failure = spanFailure(error, false);
    expect(failure.type).toBe(type);
    expect(failure.exception).toMatchObject({ code: type });
    expect(JSON.stringify(failure)).not.toContain(secret);
  });
});

describe("the message of a failure", () => {
  test("is the meaning of its code, when it is ours", () => {
    const error = new TenterhookError("tool_failed", secret);
    expect(spanFailure(error, false).message).toBe("A tool failed.");
  });

  test("is left out if it is from another package", () => {
    expect(spanFailure(new Error(secret), false).message).toBeUndefined();
  });

  test("is its own with captureContent, also where the stack is that of its cause", () => {
    const cause = new RangeError("at the line that threw");
    const failure = spanFailure(new TenterhookError("mcp_failed", secret, { cause }), true);
    expect(failure.message).toBe(secret);
    expect(failure.exception).toEqual({ code: "mcp_failed", message: secret, stack: cause.stack });
  });
});

describe("the stack of a failure", () => {
  const frames = (error: Error) => (spanFailure(error, false).exception as { stack?: string }).stack;

  test("is its frames, and no line of a message that looks like one", () => {
    const stack = frames(new Error(`no\n    at ${secret} (file.ts:1:1)`));
    expect(stack).toMatch(/^ +at .*span-failure\.test\.ts/);
    expect(stack).not.toContain(secret);
  });

  test("is left out when the message was changed since, because the old one may still be in it", () => {
    const error = new Error(`no\n    at ${secret} (file.ts:1:1)`);
    // The stack is written down when it is first asked for.
    expect(error.stack).toContain(secret);
    error.message = "something else";
    expect(frames(error)).toBe("");
  });
});
