import { createHooks, type Hooks } from "@tenterhook/engine";
import { expect, test } from "vitest";
import { withHooks } from "./index.ts";
import type { Agent } from "./sdk.ts";
import { callModel, FakeAgent, FakeRunner } from "./testing/fake-sdk.ts";

/** A set with a source, which brings a guard of the stop gate once it is told to. */
function setUp() {
  const hooks = createHooks();
  const appear = () => void hooks.on("before_stop", () => undefined, { name: "gate", source: "/hooks/gate" });
  hooks.beforeEachDispatch(() => undefined);
  return { hooks, appear };
}

function hookRunner(hooks: Hooks) {
  return withHooks(new FakeRunner(), hooks) as unknown as FakeRunner;
}

/** An agent whose gate is not asked where it ends with the result of a tool. */
function hasty(): Agent {
  return new FakeAgent({ name: "hasty", toolUseBehavior: "stop_on_first_tool" });
}

const REFUSED = {
  code: "turn_refused",
  message: expect.stringMatching(/hook "gate" on before_stop.*"hasty"/s),
};

test("a guard that appears refuses the runs of the agents that would not call it, whichever was run last", async () => {
  const { hooks, appear } = setUp();
  const runner = hookRunner(hooks);
  const [first, other] = [hasty(), new FakeAgent()];
  const { lastAgent } = await runner.run(first, "hi" as never);
  await runner.run(other, "hi" as never);
  appear();
  await expect(runner.run(first, "hi" as never)).rejects.toMatchObject(REFUSED);
  await expect(runner.run(lastAgent, "hi" as never)).rejects.toMatchObject(REFUSED);
  await runner.run(other, "hi" as never);
});

test("a guard that appears refuses a run that waits for its session while another agent is run", async () => {
  const { hooks, appear } = setUp();
  const runner = hookRunner(hooks);
  const getSessionId = async () => {
    await runner.run(new FakeAgent(), "hi" as never);
    appear();
    return "s1";
  };
  await expect(runner.run(hasty(), "hi" as never, { session: { getSessionId } })).rejects.toMatchObject(
    REFUSED,
  );
});

test("an agent that others hand over to is refused a run for its own gaps alone", async () => {
  const { hooks, appear } = setUp();
  const runner = hookRunner(hooks);
  const target = new FakeAgent({ name: "target" });
  const first = new FakeAgent({ name: "hasty", toolUseBehavior: "stop_on_first_tool", handoffs: [target] });
  await runner.run(first, "hi" as never);
  await runner.run(target, "hi" as never);
  appear();
  await runner.run(target, "hi" as never);
  await expect(runner.run(first, "hi" as never)).rejects.toMatchObject(REFUSED);
});

test("a clone of an agent with hooks is refused a run for its own gaps alone", async () => {
  const { hooks, appear } = setUp();
  const agent = withHooks(hasty(), hooks) as Agent;
  const clone = agent.clone({ toolUseBehavior: "run_llm_again" });
  appear();
  await expect(callModel(agent)).rejects.toMatchObject(REFUSED);
  await callModel(clone);
});
