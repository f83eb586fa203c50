import { EVENT_NAMES, eventRow, TenterhookError } from "@tenterhook/protocol";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type HookExit, outcomeOfExit } from "../run/run-hook.ts";

const events = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");

const json = fc.record(
  {
    decision: fc.oneof(fc.constantFrom("allow", "deny", "ask", "stop", "block", "approve"), fc.anything()),
    reason: fc.oneof(fc.string(), fc.anything()),
    modified_input: fc.anything(),
    modified_result: fc.anything(),
    additional_context: fc.anything(),
    log: fc.anything(),
  },
  { requiredKeys: [] },
);

const stdout = fc.oneof(
  fc.string(),
  json.map((value) => safeJson(value)),
  json.map((value) => `${safeJson(value)} trailing`),
  json.map((value) => safeJson(value).slice(0, -1)),
);

const exit: fc.Arbitrary<HookExit> = fc.record({
  code: fc.oneof(fc.constantFrom(0, 0, 0, 1, 2, 3, 126, 127, 255), fc.constant(null)),
  signal: fc.constantFrom(null, null, null, "SIGKILL" as const, "SIGSEGV" as const),
  stdout: fc.record({ text: stdout, isUtf16: fc.boolean() }),
  stderr: fc.string(),
  timedOut: fc.constantFrom(false, false, false, true),
  aborted: fc.constantFrom(false, false, false, true),
  flooded: fc.constantFrom(false, false, false, true),
});

test("every end of a process is read as an outcome or as a failure with a code", () => {
  fc.assert(
    fc.property(fc.constantFrom(...events), exit, (event, ended) => {
      const first = readVerdict(event, ended);
      expect(readVerdict(event, ended)).toEqual(first);
      expect(first).toMatch(/^(proceed|block|stop|ask|hook_)/);
    }),
    { numRuns: 5_000 },
  );
});

test("a process that ended by itself with code 2 blocks, whatever it printed", () => {
  fc.assert(
    fc.property(fc.constantFrom(...events), stdout, fc.string(), (event, printed, stderr) => {
      const ended = { ...ENDED, code: 2, stdout: printing(printed), stderr };
      expect(outcomeOfExit(event, ended, 1000).outcome.type).toBe("block");
    }),
    { numRuns: 1_000 },
  );
});

test("a decision to deny blocks, whatever is beside it", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...events),
      json,
      fc.dictionary(fc.string(), fc.jsonValue()),
      (event, fields, more) => {
        const printed = safeJson({ ...more, ...fields, decision: "deny" });
        expect(outcomeOfExit(event, { ...ENDED, stdout: printing(printed) }, 1000).outcome.type).toBe(
          "block",
        );
      },
    ),
    { numRuns: 1_000 },
  );
});

const ENDED: HookExit = {
  code: 0,
  signal: null,
  stdout: printing(""),
  stderr: "",
  timedOut: false,
  aborted: false,
  flooded: false,
};

function printing(text: string) {
  return { text, isUtf16: false };
}

function readVerdict(event: (typeof events)[number], ended: HookExit): string {
  try {
    return outcomeOfExit(event, ended, 1000).outcome.type;
  } catch (error) {
    if (TenterhookError.isInstance(error)) return error.code;
    throw error;
  }
}

/** JSON of anything; what JSON cannot say becomes null. */
function safeJson(value: unknown): string {
  const seen = new WeakSet<object>();
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (typeof part === "bigint") return null;
      if (typeof part === "object" && part !== null) {
        if (seen.has(part)) return null;
        seen.add(part);
      }
      return part;
    }) ?? "null"
  );
}
