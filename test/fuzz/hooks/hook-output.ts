import fc from "fast-check";
import { mutated, mutation } from "../mutate-json.ts";
import { oddJson, oddText, writeOut } from "../odd-values.ts";

/** What a hook's process prints. `refuses`: a refusal is in it, in a form that is understood. */
export interface HookOutput {
  readonly text: string;
  readonly encoding: "utf8" | "utf16le" | "utf16be";
  readonly refuses: boolean;
}

const more = fc.dictionary(
  fc.constantFrom("note", "systemMessage", "suppressOutput", "log", "additional_context", "x"),
  fc.constantFrom<unknown>("text", 1, null, true),
  { maxKeys: 2 },
);

/** The ways to refuse that the documentation names, with keys that people write. */
const refusal: fc.Arbitrary<object> = fc
  .tuple(
    fc.constantFrom<readonly [string, object]>(
      ["decision", {}],
      ["Decision", {}],
      ["DECISION", {}],
      ["permissionDecision", { hookEventName: "PreToolUse" }],
    ),
    fc.constantFrom("deny", "block", "stop", "ask", "Deny", "BLOCK"),
    fc.option(fc.oneof(oddText, fc.constantFrom<unknown>(1, null, ["a"], { a: 1 }))),
    more,
  )
  .map(([[key, inner], word, reason, others]) => {
    const answer = { ...inner, [key]: word, ...(reason !== null && { reason }) };
    return key === "permissionDecision"
      ? { ...others, hookSpecificOutput: answer }
      : { ...others, ...answer };
  });

const harmless: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    "",
    "checking…",
    "INFO done",
    "[1,2,3]",
    '{"files":3}',
    "{}",
    "null",
    '{"decision":"allow"}',
    "100%",
    "a: b",
  ),
  fc.string({ unit: fc.constantFrom(..."abc 123,.;-_/()=+*!?"), maxLength: 12 }),
);

const COLOURS = fc.constantFrom("", "", "\u001b[31m", "\u001b[0m", "\u001b[1;32m");

const withRefusal: fc.Arbitrary<string> = fc
  .tuple(harmless, COLOURS, refusal, fc.constantFrom("plain", "array", "pretty", "bom"), COLOURS, harmless)
  .map(([before, on, value, form, off, after]) => {
    const json = JSON.stringify(form === "array" ? [value] : value, undefined, form === "pretty" ? 2 : 0);
    const lines = [before, `${on}${json}${off}`, after].filter((line) => line !== "");
    return `${form === "bom" ? "\uFEFF" : ""}${lines.join("\n")}\n`;
  });

const anything: fc.Arbitrary<string> = fc.oneof(
  oddJson.map((value) => JSON.stringify(value)),
  fc
    .tuple(refusal, fc.array(mutation, { minLength: 1, maxLength: 3 }))
    .map(([value, mutations]) => JSON.stringify(mutated(value, mutations)) ?? ""),
  oddText,
  fc.tuple(withRefusal, fc.nat(60)).map(([text, at]) => text.slice(0, at)),
);

const encoding = fc.constantFrom("utf8", "utf8", "utf8", "utf8", "utf16le", "utf16be");

export const hookOutput: fc.Arbitrary<HookOutput> = fc.oneof(
  fc.record({ text: withRefusal, encoding, refuses: fc.constant(true) }),
  fc.record({ text: anything, encoding, refuses: fc.constant(false) }),
);

export function outputBytes({ text, encoding: how }: HookOutput): Buffer {
  const whole = writeOut(text);
  if (how === "utf8") return Buffer.from(whole);
  const bytes = Buffer.from(`\uFEFF${whole}`, "utf16le");
  return how === "utf16le" ? bytes : bytes.swap16();
}
