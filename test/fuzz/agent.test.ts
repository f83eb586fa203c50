import { createAgent } from "@tenterhook/agent";
import { scriptedModel } from "@tenterhook/agent/testing";
import { block, createHooks } from "@tenterhook/engine";
import fc from "fast-check";
import { expect, test } from "vitest";
import { threadTimeMs } from "../../packages/engine/src/match/thread-time.ts";
import { FileHooksSandbox } from "../file-hooks/file-hooks-sandbox.ts";
import { fuzz, limitMs, mustBeWithin, type Volume } from "./fuzz.ts";
import { mutated, mutation } from "./mutate-json.ts";
import { oddJson, oddText, writeOut } from "./odd-values.ts";

const VOLUME: Volume = { short: 60, share: 0.06, atOnce: 4 };
const SCRIPTS: Volume = { short: 8, share: 0.005, atOnce: 4, eachMs: 1_500 };
const MAX_MS = 4_000;

/** A call as a model may make it. `forbidden`: the word that the guards look for is in its input. */
interface FuzzCall {
  readonly name: string;
  readonly input: string;
  readonly forbidden: boolean;
}

const call: fc.Arbitrary<FuzzCall> = fc
  .record({
    name: fc.oneof({ weight: 8, arbitrary: fc.constant("Work") }, { weight: 1, arbitrary: oddText }),
    base: fc.constantFrom<object>(
      { command: "ls" },
      { command: "ls", options: { deep: [1, { a: "b" }] } },
      {},
    ),
    mutations: fc.array(mutation, { maxLength: 4 }),
    whole: fc.option(oddJson, { freq: 6 }),
    forbidden: fc.boolean(),
  })
  .map(({ name, base, mutations, whole, forbidden }) => {
    const value = whole ?? mutated(base, mutations);
    const input = forbidden ? { first: value, last: ["please destroy everything"] } : value;
    return { name, input: JSON.stringify(input) ?? "null", forbidden };
  });

/** What the model sent, or its text where that is no JSON. */
function parsed(input: string): { readonly input: unknown; readonly invalid?: string } {
  const text = writeOut(input);
  try {
    return { input: JSON.parse(text) };
  } catch {
    return { input: text, invalid: "no JSON" };
  }
}

/** Lets an agent make some calls; returns the inputs that its tool was given. */
async function ran(hooks: ReturnType<typeof createHooks>, calls: readonly FuzzCall[], workDir: string) {
  const given: unknown[] = [];
  const agent = createAgent({
    name: "fuzzed",
    model: scriptedModel([
      { toolCalls: calls.map(({ name, input }) => ({ name, ...parsed(input) })) },
      "done",
    ]),
    tools: { Work: { inputSchema: { type: "object" }, execute: (input: unknown) => void given.push(input) } },
    hooks,
    workDir,
  });
  const started = threadTimeMs();
  const { status, text } = await agent.run("Do it.");
  mustBeWithin(MAX_MS, started);
  if (status !== "completed" || text !== "done") throw new Error(`the run is ${status}: ${text}`);
  return given;
}

/** Whether the word is anywhere in a value, however deep. */
function isForbidden(value: unknown): boolean {
  const open: unknown[] = [value];
  while (open.length > 0) {
    const part = open.pop();
    if (typeof part === "string" && part.includes("destroy everything")) return true;
    if (typeof part === "object" && part !== null)
      for (const key of Object.keys(part)) open.push(Reflect.get(part, key));
  }
  return false;
}

const calls = fc.array(call, { minLength: 1, maxLength: 3 });

test(
  "for any tool calls of a model, guards in code and in files hold, and the run continues",
  async () => {
    const sandbox = new FileHooksSandbox();
    const matcher = { pattern: "destroy everything" };
    sandbox.hook(sandbox.userHooks, "file-guard", { action: "block", reason: "by the file", matcher });
    const fileHooks = sandbox.hooks();
    const codeHooks = createHooks({ report: () => undefined });
    codeHooks.on("before_tool", () => block("by the code"), { matcher });
    await fuzz("agent", VOLUME, fc.tuple(fc.boolean(), calls), async ([inFile, made]) => {
      const given = await ran(inFile ? fileHooks : codeHooks, made, sandbox.project);
      if (given.some(isForbidden)) throw new Error("a tool ran that a guard should have refused");
    });
  },
  limitMs("agent", VOLUME),
);

test(
  "a script that guards all tools lets none run, for any input, also with on_error: continue",
  async () => {
    const sandbox = new FileHooksSandbox();
    sandbox.hook(
      sandbox.userHooks,
      "script-guard",
      { on_error: "continue" },
      "cat >/dev/null; echo no >&2; exit 2",
    );
    const hooks = sandbox.hooks();
    await fuzz("script guard", SCRIPTS, calls, async (made) => {
      expect(await ran(hooks, made, sandbox.project)).toEqual([]);
    });
  },
  limitMs("script guard", SCRIPTS),
);
