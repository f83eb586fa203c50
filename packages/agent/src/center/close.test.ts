import { block } from "@tenterhook/engine";
import { describe, expect, test } from "vitest";
import { recordEvents, type Script, scriptedModel } from "../testing/index.ts";
import { createAgentCenter } from "./agent-center.ts";

const assistant = {
  id: "assistant",
  name: "Assistant",
  description: "",
  modelName: "gpt-4",
  instructions: "",
};

function centerWith(script: Script, lists: object = {}) {
  const reported: string[] = [];
  const center = createAgentCenter({ report: ({ message }) => reported.push(message) });
  center.registerModel("gpt-4", scriptedModel(script));
  center.registerAgent({ ...assistant, ...lists });
  return { center, reported, events: recordEvents(center.hooks), session: center.createSession("assistant") };
}

describe("a session", () => {
  test("starts with its first run and ends with endSession, once", async () => {
    const { center, events, session } = centerWith(["one", "two", "three"]);
    await center.endSession(session);
    await center.runAgent({ session, message: "1" });
    await center.runAgent({ session, message: "2" });
    await center.endSession(session, "logged out");
    await center.endSession(session);
    const ofSession = () => events.words.filter((word) => word.startsWith("session"));
    expect(ofSession()).toEqual(["session_start", "session_end"]);
    expect(events.of("session_end")[0]).toMatchObject({ exitReason: "logged out", totalSteps: 2 });
    await center.runAgent({ session, message: "3" });
    expect(ofSession()).toEqual(["session_start", "session_end", "session_start"]);
  });
});

test("a session outlives a turn that a pre-hook refused", async () => {
  const { center, events, session } = centerWith(["one", "two"], { preHookNames: ["guard"] });
  center.registerPreHook({ name: "guard" }, ({ userMessage }) =>
    userMessage === "" ? block("empty") : undefined,
  );
  for (const message of ["1", "", "2"]) await center.runAgent({ session, message });
  expect(events.words.filter((word) => word.startsWith("session"))).toEqual(["session_start"]);
});

describe("closing a center", () => {
  test("ends the sessions of all agents", async () => {
    const { center, events, session } = centerWith(["one", "two"]);
    center.registerAgent({ ...assistant, id: "other" });
    await center.runAgent({ session, message: "1" });
    await center.runAgent({ session: center.createSession("other"), message: "2" });
    expect(await center.close()).toBe(0);
    const ended = events.of("session_end").map(({ agent, exitReason }) => `${agent?.id} ${exitReason}`);
    expect(ended).toEqual(["assistant closed", "other closed"]);
  });

  test("lets background hooks finish, also those that the end of a session starts", async () => {
    const { center, session } = centerWith(["one"], { postHookNames: ["logger"] });
    const ended: string[] = [];
    center.registerPostHook({ name: "logger", blocking: false }, async () => {
      await new Promise(setImmediate);
      ended.push("logger");
    });
    center.hooks.on("session_end", () => void ended.push("session_end"), { mode: "background" });
    await center.runAgent({ session, message: "1" });
    expect(await center.close()).toBe(0);
    expect(ended.toSorted()).toEqual(["logger", "session_end"]);
  });

  test("aborts background hooks after the limit, returns their number, and reports them", async () => {
    const { center, session, reported } = centerWith(["one"], { postHookNames: ["stuck"] });
    center.registerPostHook({ name: "stuck", blocking: false }, () => new Promise(() => {}));
    await center.runAgent({ session, message: "1" });
    expect(await center.close({ timeoutMs: 1 })).toBe(1);
    expect(await center.waitForBackgroundHooks()).toBe(true);
    expect(reported.join()).toMatch(/stuck.*did not wait longer than 1 ms/);
  });

  test("lets active runs finish first", async () => {
    let open = () => {};
    const opened = new Promise<string>((resolve) => (open = () => resolve("one")));
    const { center, events, session } = centerWith([() => opened]);
    const running = center.runAgent({ session, message: "1" });
    await new Promise(setImmediate);
    const closing = center.close();
    open();
    expect(await closing).toBe(0);
    expect((await running).status).toBe("completed");
    expect(events.words.slice(-2)).toEqual(["after_agent", "session_end"]);
  });

  test("aborts runs that take longer than the limit, streamed or not", async () => {
    const { center, session } = centerWith([() => new Promise(() => {}), () => new Promise(() => {})]);
    const running = center.runAgent({ session, message: "1" });
    const stream = await center.streamAgent({ session: center.createSession("assistant"), message: "2" });
    expect(await center.close({ timeoutMs: 1 })).toBe(0);
    for (const run of [await running, await stream.finished]) {
      expect(run).toMatchObject({ status: "stopped", stopReason: "aborted", reason: "the center is closed" });
    }
  });
});
