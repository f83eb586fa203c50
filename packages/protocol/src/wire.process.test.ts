import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { EVENT_NAMES, type EventName, eventRow } from "./events.ts";
import { eventJsonSchema, type JsonSchema, payloadSchemas } from "./schemas.ts";
import type { Payload } from "./types.ts";
import { fromWire, toWire, wireName } from "./wire.ts";

/** Names that a careless renaming or assignment would damage. */
const DELICATE = [
  "toolName",
  "tool_name",
  "sessionId",
  "session_id",
  "__proto__",
  "constructor",
  "event_type",
  "é",
];

const key = fc.oneof(fc.constantFrom(...DELICATE), fc.string({ maxLength: 6 }));
const leaf = fc.oneof(fc.string({ maxLength: 6 }), fc.integer(), fc.boolean(), fc.constant(null));
const { open } = fc.letrec<{ open: object; value: unknown }>((tie) => ({
  // Object.fromEntries makes `__proto__` a key like any other.
  open: fc.array(fc.tuple(key, tie("value")), { maxLength: 3 }).map((entries) => Object.fromEntries(entries)),
  value: fc.oneof({ maxDepth: 2 }, leaf, tie("open"), fc.array(tie("open"), { maxLength: 2 })),
}));

describe.each(EVENT_NAMES)("%s on the wire", (event) => {
  const payloads = arbitraryOf(z.toJSONSchema(payloadSchemas[event], { io: "input" }));
  const declared = Object.keys((eventJsonSchema(event) as { properties: object }).properties);

  test("survives JSON unchanged, with every opaque part, and its schema accepts it", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const sent = JSON.stringify(toWire(event, payload as Payload<typeof event>));
        const back = fromWire(event, JSON.parse(sent));
        expect(canonical(back)).toBe(canonical(payload));
        expect(payloadSchemas[event].safeParse(back).error).toBeUndefined();
      }),
    );
  });

  test("has its name, and no other field than its JSON Schema declares", () => {
    fc.assert(
      fc.property(payloads, (payload) => {
        const sent = toWire(event, payload as Payload<typeof event>);
        expect(sent.event_type).toBe(event);
        expect(Object.keys(sent).filter((field) => !declared.includes(field))).toEqual([]);
      }),
      { numRuns: 20 },
    );
  });
});

describe("spelling", () => {
  test("is snake_case for what the event declares, at every depth", () => {
    const sent = toWire("after_step", {
      messages: [],
      stepIndex: 1,
      state: {
        agentId: "a",
        stepCount: 2,
        currentStep: {
          index: 0,
          hasErrors: false,
          toolCalls: [{ id: "1", name: "Shell", input: { toolName: "x" } }],
        },
      },
      toolCalls: [{ name: "Shell", input: { stepIndex: 1 }, result: { durationMs: 2 } }],
    });
    expect(sent).toEqual({
      event_type: "after_step",
      messages: [],
      step_index: 1,
      state: {
        agent_id: "a",
        step_count: 2,
        current_step: {
          index: 0,
          has_errors: false,
          tool_calls: [{ id: "1", name: "Shell", input: { toolName: "x" } }],
        },
      },
      tool_calls: [{ name: "Shell", input: { stepIndex: 1 }, result: { durationMs: 2 } }],
    });
  });

  test.each(DELICATE)("of the key %s in a tool's input is left alone, at every depth", (key) => {
    const toolInput = JSON.parse(`{"${key}":"a","list":[{"${key}":{"${key}":"b"}}]}`) as Record<
      string,
      unknown
    >;
    const sent = toWire("before_tool", { toolName: "Shell", toolInput });
    expect(JSON.stringify(sent.tool_input)).toBe(JSON.stringify(toolInput));
    const back = fromWire("before_tool", sent) as { toolInput: object };
    expect(JSON.stringify(back.toolInput)).toBe(JSON.stringify(toolInput));
    expect(Object.getPrototypeOf(back.toolInput)).toBe(Object.prototype);
  });

  test("of an undeclared field is left alone, even __proto__", () => {
    const payload = JSON.parse(
      '{"message":"hi","myField":1,"__proto__":{"admin":true}}',
    ) as Payload<"before_agent">;
    const sent = toWire("before_agent", payload);
    expect(JSON.stringify(sent)).toBe(
      '{"event_type":"before_agent","myField":1,"__proto__":{"admin":true},"message":"hi"}',
    );
    expect("admin" in sent).toBe(false);
    expect("admin" in fromWire("before_agent", sent)).toBe(false);
  });

  test("of a message's extra fields is left alone", () => {
    const message = { role: "tool" as const, content: "ok", toolCallId: "1", tool_call_id: "1" };
    expect(toWire("before_llm", { messages: [message] }).messages).toEqual([message]);
  });
});

describe("a field", () => {
  test("called context comes last, for scripts that read by line", () => {
    const sent = toWire("before_agent", { context: { a: 1 }, message: "hi", sessionId: "s", workDir: "/w" });
    expect(Object.keys(sent)[0]).toBe("event_type");
    expect(Object.keys(sent).at(-1)).toBe("context");
  });

  test("that is undefined is not sent, one that is null is", () => {
    const sent = toWire("before_stop", { stopReason: "done", finalMessage: null, stepCount: undefined });
    expect(sent).toStrictEqual({ event_type: "before_stop", stop_reason: "done", final_message: null });
  });
});

describe("an Error", () => {
  test("becomes its name, message, code and stack, though those are not enumerable", () => {
    const error = Object.assign(new RangeError("too far"), { code: "E_FAR" });
    const sent = toWire("on_error", { error, phase: "tool" });
    expect(JSON.parse(JSON.stringify(sent.error))).toEqual({
      name: "RangeError",
      message: "too far",
      code: "E_FAR",
      stack: error.stack,
    });
  });

  test("keeps the fields that it was given beside those", () => {
    const error = Object.assign(new Error("no"), { status: 503, retryAfter: 2 });
    expect(toWire("agent_failed", { error }).error).toMatchObject({
      message: "no",
      status: 503,
      retryAfter: 2,
    });
  });

  test.each(["after_agent", "after_tool_failure", "on_error", "agent_failed"] as const)(
    "of %s comes back as data that its schema accepts",
    (event) => {
      const payload = {
        status: event === "after_agent" ? "failed" : "blocked",
        toolName: "Shell",
        toolInput: {},
        phase: "llm",
        error: new TypeError("no"),
      };
      const back = fromWire(
        event,
        JSON.parse(JSON.stringify(toWire(event, payload as never))) as object as never,
      );
      expect(payloadSchemas[event].parse(back).error).toMatchObject({ name: "TypeError", message: "no" });
    },
  );
});

describe("the examples that HOOK.md authors were given", () => {
  const base = {
    event_type: "before_tool",
    timestamp: "2024-01-15T10:30:00Z",
    session_id: "sess-abc123",
    work_dir: "/home/user/project",
    context: {},
  };

  const EXAMPLES: readonly ({ readonly event_type: EventName } & Record<string, unknown>)[] = [
    {
      event_type: "before_tool",
      timestamp: "2024-01-15T10:30:00Z",
      session_id: "sess-abc123",
      work_dir: "/home/user/project",
      tool_name: "Shell",
      tool_input: {
        command: "rm -rf /tmp/old-files",
      },
      tool_use_id: "tool_123",
    },
    {
      event_type: "subagent_start",
      timestamp: "2024-01-15T10:30:00Z",
      session_id: "sess-abc123",
      work_dir: "/home/user/project",
      subagent_name: "code-reviewer",
      subagent_type: "coder",
      task_description: "Review the authentication module",
    },
    {
      event_type: "session_start",
      timestamp: "2024-01-15T10:30:00Z",
      session_id: "sess-abc123",
      work_dir: "/home/user/project",
      model: "kimi-latest",
      args: {
        ui: "shell",
        agent: "default",
      },
    },
    {
      event_type: "session_end",
      timestamp: "2024-01-15T11:30:00Z",
      session_id: "sess-abc123",
      work_dir: "/home/user/project",
      duration_seconds: 3600,
      total_steps: 25,
      exit_reason: "user_exit",
    },
    {
      event_type: "before_stop",
      timestamp: "2024-01-15T10:35:00Z",
      session_id: "sess-abc123",
      work_dir: "/home/user/project",
      stop_reason: "no_tool_calls",
      step_count: 5,
      final_message: {
        role: "assistant",
        content: "Task completed successfully",
      },
    },
  ];

  test.each(EXAMPLES)("$event_type is accepted, and every field of it is known", (example) => {
    const { event_type: event } = example;
    const payload = payloadSchemas[event].strict().parse(fromWire(event, example));
    expect(toWire(event, payload as Payload<typeof event>)).toEqual(example);
  });

  test("before_stop may have no final message", () => {
    const wire = { stop_reason: "max_steps", step_count: 5, final_message: null };
    expect(payloadSchemas.before_stop.parse(fromWire("before_stop", wire)).finalMessage).toBeNull();
  });

  test.each(EVENT_NAMES.filter((event) => eventRow(event).layer === "agent"))(
    "the fields that all events have are fields of %s",
    (event) => {
      const payload = fromWire(event, base);
      expect(Object.keys(payload)).toEqual(["sessionId", "timestamp", "workDir", "context"]);
      const schema = (payloadSchemas[event] as z.ZodObject).pick({
        sessionId: true,
        timestamp: true,
        workDir: true,
        context: true,
      });
      expect(schema.strict().parse(payload)).toEqual(payload);
    },
  );
});

describe("importing the package", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tenterhook-imports-"));
    await writeFile(
      join(folder, "register.mjs"),
      'import { register } from "node:module"; register("./record.mjs", import.meta.url);',
    );
    // The loader runs in a thread of its own, whose console is not flushed in time; this write is synchronous.
    await writeFile(
      join(folder, "record.mjs"),
      `import { writeSync } from "node:fs";
      export async function resolve(specifier, context, next) {
        const resolved = await next(specifier, context);
        writeSync(2, \`loads \${resolved.url}\\n\`);
        return resolved;
      }`,
    );
  });

  afterAll(() => rm(folder, { recursive: true }));

  test("as @tenterhook/protocol or its /internal does not load zod, which the schemas do", async () => {
    const plain = [
      ...(await loadedBy("@tenterhook/protocol")),
      ...(await loadedBy("@tenterhook/protocol/internal")),
    ];
    expect(plain.filter((url) => url.endsWith("/protocol/dist/tool-failure.js"))).toHaveLength(1);
    expect(plain.filter((url) => url.endsWith("/protocol/dist/wire.js"))).toHaveLength(1);
    expect(plain.filter((url) => url.includes("/zod/"))).toEqual([]);
    const schemas = await loadedBy("@tenterhook/protocol/schemas");
    expect(schemas.filter((url) => url.includes("/zod/"))).not.toEqual([]);
  });

  /** The URLs of everything that a real Node process loads for one import, from this package's folder. */
  async function loadedBy(specifier: string): Promise<readonly string[]> {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [
        "--import",
        pathToFileURL(join(folder, "register.mjs")).href,
        "--input-type=module",
        "--eval",
        `await import(${JSON.stringify(specifier)})`,
      ],
      { cwd: fileURLToPath(new URL("..", import.meta.url)) },
    );
    return Array.from(stderr.matchAll(/^loads (.+)$/gm), ([, url]) => url ?? "");
  }
});

/** Arbitrary values that a schema accepts. Open parts get the keys that renaming must not touch. */
function arbitraryOf(schema: object): fc.Arbitrary<unknown> {
  const {
    type,
    anyOf,
    enum: values,
    properties,
    items,
    required = [],
    additionalProperties,
  } = schema as {
    type?: string | string[];
    anyOf?: JsonSchema[];
    enum?: unknown[];
    properties?: Record<string, JsonSchema>;
    items?: JsonSchema;
    required?: string[];
    additionalProperties?: object | boolean;
  };
  if (values !== undefined) return fc.constantFrom(...values);
  if (Array.isArray(type)) return fc.oneof(...type.map((each) => arbitraryOf({ ...schema, type: each })));
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(arbitraryOf));
  switch (type) {
    case "string":
      return fc.string({ maxLength: 6 });
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "integer":
    case "number":
      return fc.integer({ min: 1, max: 1000 });
    case "array":
      return fc.array(arbitraryOf(items ?? {}), { maxLength: 2 });
    case "object": {
      if (properties === undefined) return open;
      const fields = Object.fromEntries(
        Object.entries(properties).map(([key, part]) => [key, arbitraryOf(part)]),
      );
      const declared = fc.record(fields, { requiredKeys: required });
      const isLoose =
        typeof additionalProperties === "object" && Object.keys(additionalProperties).length === 0;
      if (!isLoose) return declared;
      const extras = fc.dictionary(fc.constantFrom("toolCallId", "providerOptions", "x_y"), open);
      return fc.tuple(extras, declared).map(([more, own]) => ({ ...more, ...(own as object) }));
    }
    default:
      return fc.oneof(leaf, open);
  }
}

/** JSON with the keys in order, so that two equal values are equal texts, own `__proto__` included. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  entries.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${entries.map(([name, part]) => `${JSON.stringify(name)}:${canonical(part)}`).join()}}`;
}

test.each([
  ["before_tool", "toolInput", "tool_input"],
  ["on_run_start", "parameters", "parameters"],
  ["before_llm", "messages", "messages"],
  ["before_llm", "undeclared", "undeclared"],
] as const)("on the wire, %s has the field %s as %s", (event, field, name) => {
  expect(wireName(event, field)).toBe(name);
});
