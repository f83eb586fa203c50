import type { EventName } from "@tenterhook/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { loadClients } from "../../clients/index.ts";
import type { Client } from "../../definition/client.ts";
import { type Effect, MEASURED } from "../../testing/measured-clients.ts";
import type { CallVerdict } from "../decide/call-verdict.ts";
import { type Encoded, encode } from "./encode.ts";

const MOMENTS: Partial<Record<EventName, "tool" | "after" | "prompt" | "stop" | "session">> = {
  before_tool: "tool",
  after_tool: "after",
  before_agent: "prompt",
  before_stop: "stop",
  subagent_stop: "stop",
  session_start: "session",
};

const reason = fc.oneof(
  fc.string(),
  fc.constant(""),
  fc.constant("  \n "),
  fc.string({ unit: "grapheme" }),
  fc.constant('{"decision":"allow"}'),
);
const texts = fc.array(fc.string({ minLength: 1 }), { maxLength: 2 });
const input = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), fc.oneof(fc.string(), fc.integer()), {
  maxKeys: 3,
});
const verdicts: fc.Arbitrary<CallVerdict> = fc.oneof(
  fc.record({ type: fc.constant("block" as const), reason, context: texts, notes: texts }),
  fc.record({ type: fc.constant("stop" as const), reason, context: texts, notes: texts }),
  fc.record({ type: fc.constant("ask" as const), reason, context: texts, notes: texts }),
  fc.record({ type: fc.constant("ask" as const), reason, input, context: texts, notes: texts }),
  fc.record({ type: fc.constant("proceed" as const), context: texts, notes: texts }),
  fc.record({
    type: fc.constant("proceed" as const),
    input,
    changedBy: fc.record({ hooks: fc.constant(["h"]), mayApprove: fc.boolean() }),
    context: texts,
    notes: texts,
  }),
  fc.record({
    type: fc.constant("proceed" as const),
    result: fc.record({
      value: fc.oneof(fc.string(), fc.constantFrom("", " "), fc.integer(), fc.constant({ a: 1 })),
      by: fc.constant("h"),
    }),
    context: texts,
    notes: texts,
  }),
);

const clients = await loadClients();
const events = clients.flatMap((client) =>
  Object.entries(client.events).flatMap(([name, native]) =>
    native.events.flatMap((event) => (MOMENTS[event] === undefined ? [] : [{ client, name, native, event }])),
  ),
);

test.each(events.map((each) => [`${each.client.id} ${each.name}`, each] as const))(
  "%s: a verdict never becomes bytes that the client ignores",
  (_, { client, name, native, event }) => {
    const moment = MOMENTS[event] ?? "other";
    const before = { command: "ls", other: 1 };
    fc.assert(
      fc.property(
        verdicts,
        fc.constantFrom(undefined, "default", ...client.promptlessModes),
        (verdict, mode) => {
          if ("input" in verdict && moment !== "tool") return;
          if ("result" in verdict && moment !== "after") return;
          const at = {
            client,
            eventName: name,
            native,
            event,
            input: before,
            ...(mode !== undefined && { permissionMode: mode }),
          };
          const encoded = encode(at, verdict);
          const effect = effectOf(client, name, moment, encoded);
          expect([0, 2]).toContain(encoded.answer.exit);
          if (encoded.answer.exit === 2) expect(encoded.answer.stderr.trim()).not.toBe("");
          const isPromptless = mode !== undefined && client.promptlessModes.includes(mode);
          check(verdict, {
            moment,
            event,
            effect,
            encoded,
            isPromptless,
            merges: native.capabilities.rewrite?.takes === "merge",
            before,
          });
        },
      ),
      { numRuns: 200 },
    );
  },
);

interface Seen {
  readonly moment: string;
  readonly event: EventName;
  readonly effect: Effect;
  readonly encoded: Encoded;
  readonly isPromptless: boolean;
  readonly merges: boolean;
  readonly before: Readonly<Record<string, unknown>>;
}

function check(verdict: CallVerdict, seen: Seen): void {
  const { moment, event, effect, encoded } = seen;
  if (verdict.type === "proceed" && verdict.input === undefined && verdict.result === undefined) {
    expect(effect).toMatchObject({ action: "ran" });
    expect(effect.approved ?? false).toBe(false);
    expect(effect.input).toBeUndefined();
    checkContext(verdict, seen);
    return;
  }
  if (verdict.type === "proceed" && verdict.result !== undefined) {
    // The model gets the changed result, or a reason not to rely on the one it has.
    expect(
      effect.withheld === true ||
        reaches(effect, encoded, "changed the result") ||
        effect.model !== undefined,
    ).toBe(true);
    return;
  }
  if (moment === "tool") {
    if (verdict.type === "block" || verdict.type === "stop") expect(effect.action).toBe("blocked");
    if (verdict.type === "ask") expect(["asked", "blocked"]).toContain(effect.action);
    if (verdict.type === "stop") expect(encoded.refusal).toBeDefined();
    if (effect.action !== "blocked" && "input" in verdict && verdict.input !== undefined)
      checkInput(verdict, seen);
    if (verdict.type === "proceed" && effect.approved)
      expect(verdict.changedBy?.mayApprove === true || seen.isPromptless).toBe(true);
    return;
  }
  if (verdict.type === "proceed") return;
  if (moment === "prompt") expect(effect.action === "blocked" || encoded.refusal !== undefined).toBe(true);
  if (moment === "session") expect(encoded.refusal?.reason.trim()).toBeTruthy();
  if (moment === "stop" && verdict.type === "block")
    expect(effect.action === "blocked" || encoded.shortfalls.length > 0 || event === "subagent_stop").toBe(
      true,
    );
  if (moment === "after" && verdict.type !== "ask")
    expect(reaches(effect, encoded, verdict.reason.trim() || "no reason given")).toBe(true);
}

function checkInput(
  verdict: CallVerdict & { readonly input?: unknown },
  { effect, merges, before }: Seen,
): void {
  const used = merges ? { ...before, ...(effect.input as object) } : effect.input;
  expect(used).toEqual(verdict.input);
}

function checkContext({ context }: CallVerdict, { effect, encoded }: Seen): void {
  for (const text of context.filter((each) => each.trim() !== "")) {
    const isKept = encoded.keptContext?.some((kept) => kept.includes(text)) ?? false;
    expect(isKept || (effect.model?.includes(text) ?? false)).toBe(true);
  }
}

function reaches(effect: Effect, { keptContext = [] }: Encoded, text: string): boolean {
  return [effect.model ?? "", ...keptContext].some((each) => each.includes(text));
}

function effectOf(client: Client, event: string, moment: never | string, { answer }: Encoded): Effect {
  const measured = MEASURED[client.id];
  if (measured === undefined) throw new Error(`nothing was measured of ${client.id}`);
  return measured(moment as never, answer, event);
}
