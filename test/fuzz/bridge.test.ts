import fc from "fast-check";
import { test } from "vitest";
import { loadClients } from "../../packages/bridges/src/clients/index.ts";
import { BridgeSandbox } from "../../packages/bridges/src/testing/bridge-sandbox.ts";
import { type Fixture, fixtures } from "../../packages/bridges/src/testing/fixtures.ts";
import { threadTimeMs } from "../../packages/engine/src/match/thread-time.ts";
import { fuzz, limitMs, mustBeWithin, type Volume } from "./fuzz.ts";
import { mutated, mutation } from "./mutate-json.ts";
import { oddJson, writeOut } from "./odd-values.ts";

const VOLUME: Volume = { short: 100, share: 0.18 };
const MAX_MS = 4_000;

const clients = await loadClients();

/** Recorded payloads of events at which a tool can be refused. */
const toolCalls = fixtures().filter(({ client, event }) => {
  const native = clients.find(({ id }) => id === client)?.events[event];
  return (native?.events as readonly string[] | undefined)?.includes("before_tool") === true;
});

const input = fc
  .record({
    fixture: fc.constantFrom(...toolCalls),
    mutations: fc.array(mutation, { maxLength: 4 }),
    whole: fc.option(oddJson, { freq: 8 }),
  })
  .map(({ fixture, mutations, whole }) => {
    const payload = whole ?? mutated(fixture.stdin, mutations);
    return {
      fixture: fixture.name,
      isOfEvent: isOfEvent(fixture, payload),
      stdin: JSON.stringify(payload) ?? "",
    };
  });

/** Whether a payload still has the event of the client's entry; one with another event counts as that event. */
function isOfEvent({ event, stdin }: Fixture, payload: unknown): boolean {
  if (typeof payload !== "object" || payload === null) return true;
  return Object.entries(stdin)
    .filter(([, value]) => value === event)
    .every(([key, value]) => Reflect.get(payload, key) === value);
}

test(
  "for any payload of a tool call, the bridge exits with 0 or 2, and never passes a guard for all tools without a message",
  async () => {
    const sandbox = new BridgeSandbox();
    sandbox.hook("guard", { fields: ["on_error: block", "action: block", "reason: never"] });
    await fuzz("bridge", VOLUME, input, async ({ fixture, isOfEvent, stdin }) => {
      const started = threadTimeMs();
      const answer = await sandbox.send(fixture, {}, { stdin: writeOut(stdin) });
      mustBeWithin(MAX_MS, started);
      const { exit, stdout, stderr } = answer;
      if (exit !== 0 && exit !== 2) throw new Error(`it exited with ${exit}`);
      if (exit === 2 && stderr.trim() === "") throw new Error("it refused without a reason");
      if (isOfEvent && stdout + stderr === "") throw new Error("the call passed in silence");
    });
  },
  limitMs("bridge", VOLUME),
);
