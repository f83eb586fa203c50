import { block, type Payload, proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { snapshot } from "../answer/snapshot.ts";
import { createHooks } from "../hooks.ts";
import { type RedactionOptions, redaction } from "./redaction.ts";

const MAIL = "jane@example.com";
const KEY = `sk-${"abcd1234".repeat(4)}`;

function guarded(options: RedactionOptions) {
  const hooks = createHooks();
  const unregister = redaction(hooks, options);
  return { hooks, unregister };
}

const toolCall = (toolInput: Record<string, unknown>) => ({ toolName: "Send", toolInput });
const answer = (text: string): Payload<"after_llm"> => ({ messages: [], text, toolUses: [] });

describe("masking", () => {
  const { hooks } = guarded({ mode: "mask" });

  test("changes the user's message", async () => {
    const { payload, action } = await hooks.dispatch("before_agent", { message: `I am ${MAIL}` });
    expect([action, payload.message]).toEqual(["go_on", "I am [redacted:email]"]);
  });

  test("changes every string of a tool's input, however deep", async () => {
    const input = { to: [MAIL], body: { text: `key ${KEY}`, password: "letmein" }, count: 2 };
    const { payload } = await hooks.dispatch("before_tool", toolCall(input));
    expect(payload.toolInput).toEqual({
      to: ["[redacted:email]"],
      body: { text: "key [redacted:api_key]", password: "[redacted:secret]" },
      count: 2,
    });
    expect(input.to).toEqual([MAIL]);
  });

  test("changes what tools return, text or data", async () => {
    const text = await hooks.dispatch("after_tool", { ...toolCall({}), toolResult: `mail ${MAIL}` });
    const data = await hooks.dispatch("after_tool", {
      ...toolCall({}),
      toolResult: { rows: [{ mail: MAIL }] },
    });
    expect(text.payload.toolResult).toBe("mail [redacted:email]");
    expect(data.payload.toolResult).toEqual({ rows: [{ mail: "[redacted:email]" }] });
  });

  test("changes the model's text", async () => {
    const { payload } = await hooks.dispatch("after_llm", answer(`Write to ${MAIL}.`));
    expect(payload.text).toBe("Write to [redacted:email].");
  });

  test("changes the text of messages and of tool results in them, and nothing else", async () => {
    const image = { type: "image", data: `base64 ${MAIL}` };
    const messages: Payload<"before_llm">["messages"] = snapshot([
      { role: "system", content: "Be brief." },
      { role: "user", content: `I am ${MAIL}`, id: MAIL },
      { role: "user", content: [{ type: "text", text: MAIL, cache: true }, image] },
      { role: "tool", content: [{ type: "tool-result", toolCallId: MAIL, output: { value: [MAIL] } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: MAIL }] },
    ]);
    const { payload } = await hooks.dispatch("before_llm", { messages });
    expect(payload.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "I am [redacted:email]", id: MAIL },
      { role: "user", content: [{ type: "text", text: "[redacted:email]", cache: true }, image] },
      {
        role: "tool",
        content: [{ type: "tool-result", toolCallId: MAIL, output: { value: ["[redacted:email]"] } }],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "[redacted:email]" }] },
    ]);
    expect(payload.messages[0]).toBe(messages[0]);
  });

  test("leaves alone what has nothing in it", async () => {
    const { trace } = await hooks.dispatch("before_tool", toolCall({ command: "ls" }));
    expect(trace.entries[0]?.changes).toBeUndefined();
  });

  test("blocks what a later hook brings in, because a change would come too late", async () => {
    const { hooks } = guarded({ mode: "mask" });
    hooks.on("before_tool", () => proceed({ toolInput: { to: MAIL } }));
    const { action, hook, reason } = await hooks.dispatch("before_tool", toolCall({ to: KEY }));
    expect([action, hook]).toEqual(["refuse", "redaction"]);
    expect(reason).toContain("email, which a later hook brought in");
  });

  test("lets its own work pass when a later hook changes something harmless", async () => {
    const { hooks } = guarded({ mode: "hash" });
    hooks.on("before_tool", ({ toolInput }) => proceed({ toolInput: { ...toolInput, dry: true } }));
    const { action, payload } = await hooks.dispatch("before_tool", toolCall({ to: MAIL, password: "x" }));
    expect(action).toBe("go_on");
    expect(payload.toolInput.to).toMatch(/^\[email:[0-9a-f]{12}\]$/);
  });
});

describe("blocking", () => {
  const { hooks } = guarded({ mode: "block", custom: { staff_number: /EMP-\d+/ } });

  test("reports what was found and how often, never the value itself", async () => {
    const found = `${MAIL} ${MAIL} ${KEY} EMP-4711`;
    const outcomes = [
      await hooks.dispatch("before_agent", { message: found }),
      await hooks.dispatch("before_llm", { messages: [{ role: "user", content: found }] }),
      await hooks.dispatch("after_llm", answer(found)),
      await hooks.dispatch("before_tool", toolCall({ [found]: found })),
      await hooks.dispatch("after_tool", { ...toolCall({}), toolResult: [found] }),
    ];
    expect(outcomes.map(({ action }) => action)).toEqual(["refuse", "fail", "refuse", "refuse", "refuse"]);
    for (const { reason } of outcomes) {
      for (const kind of ["staff_number", "api_key", "email"]) expect(reason).toContain(kind);
      for (const secret of [MAIL, KEY, "4711"]) expect(reason).not.toContain(secret);
    }
    expect(outcomes[0]?.reason).toContain("email (2)");
  });

  test("replaces the result of a failed tool, which a block would not withhold", async () => {
    const failed = { ...toolCall({}), error: { name: "Error", message: `no such user ${MAIL}` } };
    const withResult = await hooks.dispatch("after_tool_failure", { ...failed, toolResult: { tried: MAIL } });
    const withoutResult = await hooks.dispatch("after_tool_failure", failed);
    expect(withResult.payload.toolResult).toEqual({ tried: "[redacted:email]" });
    expect(withoutResult.payload.toolResult).toBe("no such user [redacted:email]");
  });

  test("fails closed when a custom pattern cannot finish", async () => {
    const { hooks } = guarded({ mode: "mask", detect: [], custom: { slow: "a.*b|a" } });
    const { action, error } = await hooks.dispatch("before_agent", { message: "a".repeat(1_000_000) });
    expect(action).toBe("refuse");
    expect(error?.message).toContain('"slow" took longer');
  });
});

describe("redaction", () => {
  test("searches only the given targets, for the given detectors", async () => {
    const { hooks } = guarded({ mode: "block", on: ["output"], detect: ["ssn"] });
    hooks.on("before_agent", () => block("another hook"));
    const { hook } = await hooks.dispatch("before_agent", { message: "123-45-6789" });
    const mail = await hooks.dispatch("after_llm", answer(MAIL));
    const ssn = await hooks.dispatch("after_llm", answer("123-45-6789"));
    expect([hook === "redaction", mail.action, ssn.action]).toEqual([false, "go_on", "refuse"]);
  });

  test.each([
    [{}, /mode must be/],
    [{ mode: "maks" }, /mode must be/],
    [{ mode: "mask", on: ["outputs"] }, /on must be/],
    [{ mode: "mask", on: [] }, /names no target/],
    [{ mode: "mask", detect: ["mail"] }, /detect must be/],
    [{ mode: "mask", custom: { x: "[" } }, /cannot be used/],
    [{ mode: "mask", only: [] }, /no option "only"/],
  ])("refuses %j when it is registered, and registers nothing", (options, message) => {
    const hooks = createHooks();
    expect(() => redaction(hooks, options as unknown as RedactionOptions)).toThrowError(message);
    expect(hooks.list()).toEqual([]);
  });

  test("is removed by the function that it returns", () => {
    const { hooks, unregister } = guarded({ mode: "mask" });
    expect(hooks.list().map(({ event }) => event)).toHaveLength(6);
    unregister();
    expect(hooks.list()).toEqual([]);
  });
});
