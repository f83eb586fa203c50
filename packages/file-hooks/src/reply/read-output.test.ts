import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PrintedOutput } from "./printed-output.ts";
import { readOutput } from "./read-reply.ts";

const reason = fc.string({ unit: "grapheme", maxLength: 30 });

/** A refusal in our form and in those of other clients. */
const refusal: fc.Arbitrary<object> = fc
  .tuple(
    fc.constantFrom("deny", "block", "ask", "stop", "Deny", " BLOCK "),
    fc.constantFrom("decision", "Decision", "DECISION"),
    reason,
    fc.dictionary(
      fc.string().filter((key) => !/decision|output/i.test(key)),
      fc.jsonValue(),
      { maxKeys: 3 },
    ),
  )
  .chain(([word, key, why, more]) => {
    const foreign = /stop/i.test(word) ? "deny" : word;
    return fc.constantFrom<object>(
      { ...more, [key]: word, reason: why },
      { [key]: word, ...more },
      {
        ...more,
        hookSpecificOutput: { permissionDecision: foreign, permissionDecisionReason: why },
      },
      { permissionDecision: foreign, ...more },
      { ...more, hookSpecificOutput: { decision: { behavior: "deny", message: why } } },
      { ...more, continue: false, stopReason: why },
      { ...more, permission: "deny" },
    );
  });

const noise = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(..."{}[]\",:'`\\ \n\t", "\u001b[", "\u001b]", "decision", "1"),
    maxLength: 20,
  }),
  fc.constantFrom(
    "> test\n> vitest run\n",
    "PASS { ok } (3 tests)",
    '{"level":"info","msg":"checked {1} rule"}',
    '{"decision":"allow"}',
    "\u001b[32m✓\u001b[39m done",
    "[12:01:07] INFO",
    "```json",
    "\ufeff",
  ),
);

/** A refusal as a process may print it, in bytes. */
const printed: fc.Arbitrary<Buffer> = fc
  .tuple(
    refusal,
    fc.boolean(),
    fc.boolean(),
    fc.boolean(),
    fc.constantFrom("", "\n", " ", "\r\n"),
    noise,
    noise,
    fc.constantFrom("utf8", "utf16le", "utf16be", "\ufeffutf8", "\ufeffutf16le", "\ufeffutf16be"),
  )
  .map(([object, isPretty, isColoured, inArray, between, before, after, encoding]) => {
    const json = JSON.stringify(inArray ? [object] : object, undefined, isPretty ? 2 : 0);
    const shown = isColoured ? json.replaceAll(/"(?:[^"\\]|\\.)*"/g, "\u001b[0;32m$&\u001b[0m") : json;
    const mark = encoding.startsWith("\ufeff") ? "\ufeff" : "";
    const text = `${mark}${before}${between}${shown}${between}${after}`;
    if (encoding.endsWith("utf8")) return Buffer.from(text);
    const bytes = Buffer.from(text, "utf16le");
    return encoding.endsWith("le") ? bytes : bytes.swap16();
  });

test("a refusal never becomes proceed, whatever is printed around it and however it is encoded", () => {
  fc.assert(
    fc.property(printed, (bytes) => {
      const output = new PrintedOutput(1024 * 1024, 0);
      output.add(bytes);
      const read = readOutput(output.printed);
      const isRefused = read.decision !== undefined && read.decision !== "allow";
      expect(isRefused || read.unreadable !== undefined).toBe(true);
    }),
    { numRuns: 1_500 },
  );
});

test("a refusal in lines of its own counts, whatever other lines say", () => {
  const line = fc.string().map((text) => text.replaceAll(/[\r\n]/g, ""));
  fc.assert(
    fc.property(refusal, fc.array(line), fc.array(line), (object, before, after) => {
      const text = [...before, JSON.stringify(object), ...after].join("\n");
      const { decision } = readOutput({ text, isUtf16: false });
      expect(["deny", "ask", "stop"]).toContain(decision);
    }),
    { numRuns: 500 },
  );
});

test.each([
  '{"result":{"decision":"denied"}}',
  'checking {"result":{"hookSpecificOutput":"deny"}}',
  'checking\n{"action":"block",}',
  '{"stdout":"{\\"continue\\":false}"}',
])("what looks like an answer and cannot be read is a failure: %s", (text) => {
  const read = readOutput({ text, isUtf16: false });
  expect([read.decision, read.unreadable]).toEqual([undefined, expect.any(String)]);
});

test.each([
  "{ ok }",
  "✓ rules/no-force.test.ts (3 tests) 12ms",
  "> npm test\n\n{ total: 3, failed: 0 }",
  "{ name: 'x', decision: undefined }",
  '{"level":"info","msg":"made a decision: deny or allow"}',
  '{"level":30,"continue":true,"permission":"read","action":"created","behavior":"smooth"}',
  "Decision: we block merges on Fridays",
  "the decision, if any, comes later; continue: see below",
  '{"numTotalTests":3,"testResults":[{"name":"deny","status":"passed"}]} done',
  "[INFO] permission: granted",
  "{{ template }} [[ wiki ]] {% if x %}",
  "function f() { return { a: 1, b: [2] }; }",
])("output without an answer is none: %s", (text) => {
  const read = readOutput({ text, isUtf16: false });
  expect([read.decision, read.unreadable]).toEqual([undefined, undefined]);
});

describe("text of a model that a hook prints around its answer", () => {
  const answer = '{"decision":"deny","reason":"no"}';
  test.each([
    ['checking {"x":', "}"],
    ['{"decision":"allow","modified_input":', "} checked"],
    ["[", "]"],
    ['{"x":"', '"}'],
    ['{"decision":"allow","x":[', "]}"],
    ["\u001b]0;", "\u0007"],
    ["\u001b[", "m"],
    ["/*", "*/"],
    ["<!--", "-->"],
    ['{"decision":"allow"}', '{"decision":"allow"}'],
  ])("cannot hide the answer: %j … %j", (before, after) => {
    const read = readOutput({ text: `${before}${answer}${after}`, isUtf16: false });
    expect(read.decision).toBe("deny");
  });
});
