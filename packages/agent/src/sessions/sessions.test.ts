import { getEventListeners } from "node:events";
import { appendFile, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createHooks } from "@tenterhook/engine";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { createAgent } from "../agent.ts";
import { recordEvents, scriptedModel } from "../testing/index.ts";
import { fileSessions } from "./file-sessions.ts";
import { memorySessions } from "./memory-sessions.ts";
import type { SessionStore } from "./session-store.ts";

async function folder(): Promise<string> {
  const made = temporaryFolder();
  return join(made, "sessions");
}

const hi = { role: "user", content: "Hi" } as const;
const hello = { role: "assistant", content: "Hello\nthere" } as const;

const STORES: readonly [string, () => Promise<SessionStore>][] = [
  ["memory", async () => memorySessions()],
  ["files", async () => fileSessions(await folder())],
];

describe.each(STORES)("sessions in %s", (_, make) => {
  test("keep what was added, in order, and what replaced it", async () => {
    const store = await make();
    expect(await store.load("s")).toBeUndefined();
    await store.append("s", [{ type: "messages", messages: [hi] }]);
    await store.append("s", [{ type: "messages", messages: [hello] }]);
    expect(await store.load("s")).toEqual([hi, hello]);
    await store.append("s", [
      { type: "replaced", messages: [hello] },
      { type: "messages", messages: [hi] },
    ]);
    expect(await store.load("s")).toEqual([hello, hi]);
    expect(await store.load("other")).toBeUndefined();
  });

  test("are gone when deleted, and deleting nothing is no error", async () => {
    const store = await make();
    await store.append("s", [{ type: "messages", messages: [hi] }]);
    await store.delete("s");
    await store.delete("s");
    expect(await store.load("s")).toBeUndefined();
  });

  test("let an agent continue the conversation, or leave it out", async () => {
    const model = scriptedModel(["one", "two", "three"]);
    const sessions = await make();
    const agent = () => createAgent({ model, sessions });
    await agent().run("a", { sessionId: "s" });
    await agent().run("b", { sessionId: "s" });
    await agent().run("c", { sessionId: "s", loadHistory: false });
    expect(model.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 1]);
  });
});

describe("a session in a file", () => {
  test("is readable by its owner only", async () => {
    const path = await folder();
    await fileSessions(path).append("s", [{ type: "messages", messages: [hi] }]);
    expect((await stat(join(path, "s.jsonl"))).mode & 0o777).toBe(0o600);
  });

  test("survives a crash during a write: the incomplete line is ignored, and later writes succeed", async () => {
    const path = await folder();
    const store = fileSessions(path);
    await store.append("s", [{ type: "messages", messages: [hi] }]);
    const whole = JSON.stringify({ type: "messages", messages: [hello] });
    for (let length = 0; length < whole.length; length++) {
      const before = await readFile(join(path, "s.jsonl"), "utf8");
      await appendFile(join(path, "s.jsonl"), `\n${whole.slice(0, length)}`);
      expect(await store.load("s")).toEqual([hi]);
      await store.append("s", [{ type: "messages", messages: [hello] }]);
      expect(await store.load("s")).toEqual([hi, hello]);
      await writeFile(join(path, "s.jsonl"), before);
    }
  });

  test("with a damaged line is an error with file and line, never a shorter conversation", async () => {
    const path = await folder();
    const store = fileSessions(path);
    await store.append("s", [{ type: "messages", messages: [hi] }]);
    await store.append("s", [{ type: "messages", messages: [hello] }]);
    const text = await readFile(join(path, "s.jsonl"), "utf8");
    await writeFile(join(path, "s.jsonl"), text.replace('"Hi"', '"Hi'));
    await expect(store.load("s")).rejects.toThrow(/s\.jsonl:2/);
  });

  test.each(["", "..", "../x", "a/b", ".hidden", "a\0b", "x".repeat(300)])(
    "refuses the id %j",
    async (id) => {
      const path = await folder();
      await expect(fileSessions(path).load(id)).rejects.toMatchObject({ code: "bad_session" });
      await expect(fileSessions(path).append(id, [])).rejects.toMatchObject({ code: "bad_session" });
      await expect(readdir(path)).rejects.toThrow();
    },
  );
});

test("a run leaves no listener on its caller's signal, also when its session is busy", async () => {
  const { signal } = new AbortController();
  const agent = createAgent({ model: scriptedModel(["a"]) });
  const first = agent.run("1", { sessionId: "s", signal });
  await expect(agent.run("2", { sessionId: "s", signal })).rejects.toMatchObject({ code: "session_busy" });
  await expect(agent.compact("s")).rejects.toMatchObject({ code: "session_busy" });
  await first;
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a run that cannot begin leaves its session free", async () => {
  const agent = createAgent({ model: scriptedModel(["a"]) });
  const signal = {} as AbortSignal;
  await expect(agent.run("1", { sessionId: "s", signal })).rejects.toThrow(TypeError);
  expect((await agent.run("2", { sessionId: "s" })).output).toBe("a");
});

describe("the events of a session", () => {
  test("begin with its first run and end when it is ended; a run without one has its own", async () => {
    const hooks = createHooks();
    const recorded = recordEvents(hooks);
    const agent = createAgent({ model: scriptedModel(["a", "b", "c", "d"]), hooks });
    await agent.run("1", { sessionId: "s" });
    await agent.run("2", { sessionId: "s" });
    await agent.endSession("s", "logout");
    await agent.endSession("s");
    await agent.run("3");
    const events = recorded.all.flatMap(({ event, context }) =>
      event.startsWith("session") ? [`${event} ${context.payload.sessionId === "s" ? "s" : "own"}`] : [],
    );
    expect(events).toEqual(["session_start s", "session_end s", "session_start own", "session_end own"]);
    expect(recorded.of("session_end")[0]?.payload).toMatchObject({ exitReason: "logout", totalSteps: 2 });
    expect(recorded.of("session_start").map(({ source }) => source)).toEqual(["startup", "startup"]);
    expect(recorded.of("session_start")[0]?.args).toEqual({ agent: "agent" });
  });

  test('have source "resume" when resumed, and end when the agent is closed', async () => {
    const sessions = memorySessions();
    const model = scriptedModel(["a", "b"]);
    await createAgent({ model, sessions }).run("1", { sessionId: "s" });
    const hooks = createHooks();
    const recorded = recordEvents(hooks);
    const agent = createAgent({ model, sessions, hooks });
    await agent.run("2", { sessionId: "s" });
    expect(await agent.close()).toBe(0);
    expect(recorded.of("session_start")[0]?.source).toBe("resume");
    expect(recorded.of("session_end")[0]?.exitReason).toBe("closed");
  });
});
