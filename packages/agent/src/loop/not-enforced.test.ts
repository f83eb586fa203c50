import {
  ask,
  block,
  createHooks,
  type EventName,
  type Hooks,
  proceed,
  recover,
  skip,
  stop,
} from "@tenterhook/engine";
import { EVENT_NAMES, eventRow, type Outcome, type OutcomeType } from "@tenterhook/protocol";
import { expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import { scriptedModel } from "../testing/index.ts";

const echo = { inputSchema: { type: "object" }, execute: (input: unknown) => input };
const broken = {
  inputSchema: { type: "object" },
  execute: () => {
    throw new Error("out of paper");
  },
};

const OUTCOMES: Readonly<Record<OutcomeType, Outcome>> = {
  block: block("no"),
  stop: stop("enough"),
  ask: ask("sure?"),
  skip: skip("instead"),
  recover: recover("fine"),
  proceed: proceed(undefined, { context: "More." }),
};

/** Everything that the event lets a hook answer. */
function answersTo(event: EventName): readonly Outcome[] {
  const { outcomes, adds } = eventRow(event);
  return outcomes.filter((type) => type !== "proceed" || adds !== undefined).map((type) => OUTCOMES[type]);
}

async function run(register: (hooks: Hooks) => void) {
  const hooks = createHooks({ report: () => undefined });
  register(hooks);
  const model = scriptedModel([
    {
      toolCalls: [
        { name: "echo", input: { text: "hello" } },
        { name: "broken", input: {} },
      ],
    },
    "done",
  ]);
  let asked = 0;
  const agent = createAgent({
    model,
    hooks,
    tools: { echo, broken },
    approve: () => {
      asked++;
      return { type: "approve" };
    },
  });
  const { text, status, stopReason, messages, acts } = await agent.run("Hi");
  return { asked, acts, seen: { text, status, stopReason, messages, requests: model.requests } };
}

const without = await run(() => undefined);

test("hooks on every event that are not enforced leave a run as it is, whatever they answer", async () => {
  const expected = new Set<string>();
  const tried = await run((hooks) => {
    for (const event of EVENT_NAMES) {
      for (const outcome of answersTo(event)) {
        hooks.on(event, () => outcome as never, { enforce: false, name: `${event} ${outcome.type}` });
        expected.add(`${event} ${outcome.type}`);
      }
    }
  });
  expect(JSON.stringify(tried.seen)).toBe(JSON.stringify(without.seen));
  expect(tried.asked).toBe(0);
  const recorded = tried.acts.filter(({ notEnforced }) => notEnforced !== undefined);
  expect(recorded.every(({ action }) => action === "go_on")).toBe(true);
  const events = new Set(recorded.map(({ event }) => event));
  for (const { hook } of recorded) expect(expected).toContain(hook);
  for (const event of ["before_agent", "before_llm", "before_tool", "after_tool", "before_stop"] as const)
    expect(events).toContain(event);
});

test("failing hooks that are not enforced leave a run as it is", async () => {
  const tried = await run((hooks) => {
    for (const event of EVENT_NAMES)
      hooks.on(event, () => Promise.reject(new Error("broken")), { enforce: false, name: "broken" });
  });
  expect(JSON.stringify(tried.seen)).toBe(JSON.stringify(without.seen));
  expect(tried.acts.every(({ failed, action }) => failed === true && action === "go_on")).toBe(true);
});

test("hooks that are not enforced and write into what they are given leave a run as it is", async () => {
  const tried = await run((hooks) => {
    for (const event of EVENT_NAMES) {
      hooks.on(
        event,
        (context) => {
          const payload = context.payload as Record<string, unknown>;
          for (const value of Object.values(payload)) {
            try {
              if (Array.isArray(value)) value.length = 0;
              else if (typeof value === "object" && value !== null && value !== payload.state)
                Object.assign(value, { command: "changed", message: "changed" });
            } catch {}
          }
        },
        { enforce: false },
      );
    }
  });
  expect(JSON.stringify(tried.seen)).toBe(JSON.stringify(without.seen));
});

test("the acts of a run say what would have been changed, and the stream has them", async () => {
  const hooks = createHooks();
  hooks.on("before_tool", () => proceed({ toolInput: { text: "bye" } }), {
    enforce: false,
    name: "rewriter",
  });
  const model = scriptedModel([{ toolCalls: [{ name: "echo", input: { text: "hello" } }] }, "done"]);
  const agent = createAgent({ model, hooks, tools: { echo } });
  const streamed: unknown[] = [];
  const run = agent.stream("Hi");
  for await (const event of run) if (event.type === "hook_acted") streamed.push(event.act);
  const { acts } = await run.finished;
  expect(acts).toMatchObject([
    {
      event: "before_tool",
      hook: "rewriter",
      action: "go_on",
      changed: ["toolInput"],
      notEnforced: "would_change",
    },
  ]);
  expect(streamed).toEqual(acts);
});
