// Run by hostile-values.process.test.ts in a process of its own, see dispatch.mjs: models, tools, wrappers and what else a host gives an agent
// fail with values whose inspection throws.
import { Agent } from "@tenterhook/agent";
import { scriptedModel } from "@tenterhook/agent/testing";
import { createHooks } from "@tenterhook/engine";
import { LARGE, THROWN } from "./values.mjs";

const LONGEST_TEXT = 200_000;
const rejecting = (make) => async () => {
  throw make();
};
const throwing = (make) => () => {
  throw make();
};

const SCRIPT = [{ toolCalls: [{ name: "work", input: { n: 1 } }] }, "Done."];
const schema = { type: "object", properties: { n: { type: "number" } } };
const tool = (execute) => ({ work: { description: "Works.", inputSchema: schema, execute } });
const works = () => "worked";

/** Each takes the function that makes the value, and resolves to the ended run. */
const PLACES = {
  "thrown by a tool": (make) => run({ tools: tool(throwing(make)) }),
  "rejected by a tool": (make) => run({ tools: tool(rejecting(make)) }),
  "thrown by the results of a tool": (make) =>
    run({
      tools: tool(async function* fail() {
        yield "some";
        throw make();
      }),
    }),
  "returned by a tool": (make) => run({ tools: tool(() => make()) }),
  "resolved by a tool": (make) => run({ tools: tool(async () => ({ part: make() })) }),
  "thrown by a model": (make) => run({ model: failingModel(make) }),
  "thrown while a model streams": async (make) => {
    const stream = agent({ model: failingModel(make) }).stream("Go.");
    for await (const event of stream) void event.type;
    return stream.finished;
  },
  "returned by a model": (make) => run({ model: { ...failingModel(make), generate: async () => make() } }),
  "in an answer of a model": (make) =>
    run({ model: { ...failingModel(make), generate: async () => ({ text: make(), toolCalls: [make()] }) } }),
  "thrown by a wrapper of the model": (make) =>
    run({ hooks: hooks((all) => all.around("around_llm", throwing(make))) }),
  "thrown by a wrapper of a tool": (make) =>
    run({ hooks: hooks((all) => all.around("around_tool", rejecting(make))) }),
  "returned by a wrapper of a tool": (make) =>
    run({ hooks: hooks((all) => all.around("around_tool", () => make())) }),
  "thrown by every hook": (make) =>
    run({
      hooks: hooks((all) => {
        for (const event of [
          "before_agent",
          "after_agent",
          "before_llm",
          "after_llm",
          "before_tool",
          "after_tool",
          "on_error",
        ])
          all.on(event, rejecting(make), { onError: "continue" });
      }),
    }),
  "the result that a hook skips with": (make) =>
    run({ hooks: hooks((all) => all.on("before_tool", () => ({ type: "skip", result: make() }))) }),
  "the reason of an abort": (make) => {
    const controller = new AbortController();
    const execute = () => new Promise(() => controller.abort(make()));
    return run({ tools: tool(execute) }, { signal: controller.signal });
  },
  "thrown by a session store": (make) =>
    run({ sessions: { load: rejecting(make), append: rejecting(make) } }, { sessionId: "one" }),
};

function failingModel(make) {
  return { modelId: "failing", provider: "test", generate: rejecting(make), stream: rejecting(make) };
}

function hooks(register) {
  const all = createHooks({ report: () => {} });
  register(all);
  return all;
}

function agent(options) {
  return new Agent({
    name: "a",
    model: scriptedModel(SCRIPT),
    tools: tool(works),
    maxRetries: 0,
    ...options,
  });
}

function run(options, request) {
  return agent(options).run("Go.", request);
}

const cases = Object.entries(PLACES).flatMap(([place, start]) =>
  Object.entries(place === "thrown by a tool" ? { ...THROWN, ...LARGE } : THROWN).map(([value, make]) => ({
    name: `${value}, ${place}`,
    start: () => start(make),
  })),
);
for (const { name, start } of cases) {
  let line;
  try {
    const { status, reason } = await start();
    line = { status, isShort: (reason ?? "").length < LONGEST_TEXT };
  } catch (error) {
    // A run that failed rejects with its error, which the host can read.
    line = {
      status: "rejected",
      isError: error instanceof Error && typeof error.message === "string",
      isShort: error.message.length < LONGEST_TEXT,
    };
  }
  process.stdout.write(`${JSON.stringify({ name, ...line })}\n`);
}
process.stdout.write(`${JSON.stringify({ name: "the end", cases: cases.length })}\n`);
