import { readFileSync } from "node:fs";
import { openAiServer, recordEvents, type Script } from "@tenterhook/agent/testing";
import { ask, block, createHooks, proceed, skip, stop } from "@tenterhook/engine";
import { expect, onTestFinished, test } from "vitest";
import { runExample } from "../testing/run-example.ts";
import { type LoopOptions, runAgent } from "./loop.ts";

test("the example runs what hooks let pass, and says what they did", async () => {
  expect(await runExample("own-loop/main")).toEqual({
    exitCode: 0,
    stdout: `Hooks around a loop of one's own

 model  a script; set OPENAI_BASE_URL for a real one
  call  list_files {} → ["build.log","notes.txt"]
  hook  once-more on around_llm: Error: the model answered with status 503
  hook  logs-only on before_tool: block (only logs may go)
  hook  careful on before_tool: ask, approve (a deleted file is gone)
  call  delete_file {"name":"build.log"} → "deleted"
  hook  read-first on before_stop: block (Read the notes before you stop.)
  call  read_file {"name":"notes.txt"} → "The build log can go.\\n"
 agent  The folder is tidy, and I have read the notes.
`,
    stderr: "",
    leftBehind: [],
  });
});

test("a model behind HTTP is asked with its key, and told why a call was refused", async () => {
  const remove = { name: "delete_file", input: { name: "notes.txt" } };
  const read = { name: "read_file", input: { name: "notes.txt" } };
  const server = await openAiServer([{ toolCalls: [remove, read] }, "It stays."]);
  onTestFinished(() => server.close());
  const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: "key-of-the-test", OPENAI_MODEL: "small" };
  const { stdout, exitCode } = await runExample("own-loop/main", env);
  expect([exitCode, stdout]).toEqual([0, expect.stringContaining(" agent  It stays.\n")]);
  const [first, second] = server.requests;
  expect(first?.headers.authorization).toBe("Bearer key-of-the-test");
  expect(first?.body).toMatchObject({
    model: "small",
    tools: [{}, {}, { function: { name: "delete_file" } }],
  });
  expect(second?.body.messages?.slice(2)).toEqual([
    { role: "assistant", content: "", tool_calls: [expect.anything(), expect.anything()] },
    { role: "tool", tool_call_id: "call-1", content: "only logs may go" },
    { role: "tool", tool_call_id: "call-2", content: "The build log can go.\n" },
  ]);
});

test("the loop is shorter than 120 lines", () => {
  const source = readFileSync(new URL("loop.ts", import.meta.url), "utf8");
  expect(source.split("\n").length).toBeLessThan(120);
});

const add = { toolCalls: [{ name: "add", input: { a: 1, b: 2 } }] };

async function loopWith(script: Script<never>) {
  const server = await openAiServer(script as never);
  onTestFinished(() => server.close());
  const hooks = createHooks();
  const ran: unknown[] = [];
  const options: LoopOptions = {
    hooks,
    baseURL: server.url,
    model: "small",
    instructions: "Be brief.",
    maxSteps: 3,
    tools: {
      add: {
        description: "Adds two numbers.",
        inputSchema: { type: "object" },
        execute(input) {
          ran.push(input);
          const { a, b } = input as { readonly a: number; readonly b: number };
          return a + b;
        },
      },
    },
  };
  const say = (more: Partial<LoopOptions> = {}) => runAgent({ ...options, ...more }, "1 + 2?");
  return { hooks, server, ran, say };
}

test("every event of a run fires, in order", async () => {
  const { hooks, say } = await loopWith([add, "3"]);
  const events = recordEvents(hooks);
  expect(await say()).toBe("3");
  expect(events.all.map(({ event }) => event)).toEqual([
    "before_agent",
    "before_step",
    "before_llm",
    "after_llm",
    "before_tool",
    "after_tool",
    "after_step",
    "before_step",
    "before_llm",
    "after_llm",
    "after_step",
    "before_stop",
    "after_agent",
  ]);
});

test("hooks change the message, the request, a tool's input, its result and the answer", async () => {
  const { hooks, server, ran, say } = await loopWith([add, "3"]);
  hooks.on("before_agent", ({ message }) =>
    proceed({ message: `${message}!` }, { context: "It is Sunday." }),
  );
  hooks.on("before_llm", () => proceed({ systemPrompt: "Be kind." }));
  hooks.on("before_tool", () => proceed({ toolInput: { a: 2, b: 2 } }));
  hooks.on("after_tool", ({ toolResult }) => proceed({ toolResult: `${toolResult}.` }));
  hooks.on("after_llm", ({ text }) => (text === "" ? undefined : proceed({ text: `${text}?` })));
  expect([await say(), ran]).toEqual(["3?", [{ a: 2, b: 2 }]]);
  expect(server.requests[1]?.body.messages).toMatchObject([
    { role: "system", content: "Be kind." },
    { role: "user", content: "1 + 2?!\n\n<hook_context>\nIt is Sunday.\n</hook_context>" },
    { role: "assistant" },
    { role: "tool", content: "4." },
  ]);
});

test("a hook that refuses the message, or stops the run at a tool, ends it with its reason", async () => {
  const refusing = await loopWith([]);
  refusing.hooks.on("before_agent", () => block("not on Sundays"));
  await expect(refusing.say()).rejects.toMatchObject({ code: "turn_refused", message: /not on Sundays/ });
  const stopping = await loopWith([add]);
  stopping.hooks.on("before_tool", () => stop("enough"));
  const ends: unknown[] = [];
  stopping.hooks.on("after_step", ({ status }) => void ends.push(status));
  stopping.hooks.on("after_agent", ({ status }) => void ends.push(status));
  await expect(stopping.say()).rejects.toMatchObject({ code: "run_stopped", message: /enough/ });
  expect([stopping.ran, ends, stopping.server.requests.length]).toEqual([[], ["stopped", "stopped"], 1]);
});

test("a call that needs a person is refused without one, and a skipped step asks no model", async () => {
  const { hooks, server, ran, say } = await loopWith([add, "No."]);
  hooks.on("before_tool", () => ask("sure?"));
  hooks.on("before_step", ({ stepIndex }) => (stepIndex === 0 ? skip() : undefined));
  expect([await say(), ran]).toEqual(["No.", []]);
  expect(server.requests).toHaveLength(2);
  expect(JSON.stringify(server.requests[1]?.body.messages)).toContain("sure?");
});

test("a failure of the model reaches hooks and the caller, and the caller can abort the run", async () => {
  const failing = await loopWith([{ error: Object.assign(new Error("overloaded"), { statusCode: 503 }) }]);
  const events = recordEvents(failing.hooks);
  await expect(failing.say()).rejects.toThrow("status 503");
  const last = events.all.slice(-5).map(({ event }) => event);
  expect(last).toEqual(["on_error", "after_llm", "after_step", "agent_failed", "after_agent"]);
  const aborted = await loopWith([add]);
  const controller = new AbortController();
  aborted.hooks.on("before_tool", () => controller.abort(new Error("interrupted")));
  await expect(aborted.say({ signal: controller.signal })).rejects.toThrow("interrupted");
  expect(aborted.ran).toEqual([]);
});
