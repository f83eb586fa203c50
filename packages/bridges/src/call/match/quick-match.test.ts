import { matches } from "@tenterhook/engine/internal";
import { matcherOf } from "@tenterhook/file-hooks/discover";
import { CANONICAL_TOOLS, nativeNames } from "@tenterhook/protocol/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Input } from "../translate/canonical-call.ts";
import { type QuickMatch, quickMatch, quickMatcher } from "./plan-file.ts";

interface Written {
  readonly tool?: string;
  readonly pattern?: string;
}

/** Whether the engine calls a hook with this matcher; what it cannot decide counts as matching. */
function isCalled(matcher: Written, toolName: string, toolInput: Input): boolean {
  const engines = matcherOf({ matcher });
  return engines === undefined || matches(engines, "before_tool", { toolName, toolInput });
}

/** What a call finds in the plan. */
function planned(matcher: Written, toolName: string, toolInput: Input): QuickMatch {
  return quickMatch(quickMatcher(matcher), toolName, toolInput);
}

const units = fc.constantFrom(
  ..."aA-_ 0/:\"'\\\n\t|^$.*+?()[]{}é😀İ\u2028\u0000".split(""),
  "\ud83d",
  "\ude00",
);
const text = fc.string({ unit: units, maxLength: 6 });
const word = fc.string({ unit: fc.constantFrom(..."abAB_-0".split("")), minLength: 1, maxLength: 3 });
const alternatives = fc
  .array(
    fc.tuple(fc.constantFrom("", "^", "(", "(?i)"), fc.oneof(word, text), fc.constantFrom("", "$", ")", "?")),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.map((part) => part.join("")).join("|"));
const joined = fc
  .array(fc.tuple(fc.oneof(word, text, alternatives), fc.constantFrom(".*", ".+", ".*?", "")), {
    minLength: 1,
    maxLength: 4,
  })
  .map((parts) => parts.map((part) => part.join("")).join(""));
const pattern = fc.oneof(word, text, alternatives, joined);
const name = fc.oneof(word, alternatives, text);
const input = fc.dictionary(
  fc.oneof(word, text),
  fc.oneof(text, word, fc.jsonValue({ maxDepth: 3 }), fc.array(text)),
);

test("a matcher that the engine finds to match is never ruled out before", () => {
  fc.assert(
    fc.property(
      fc.record({ tool: pattern, pattern }, { requiredKeys: [] }),
      name,
      input,
      (matcher, toolName, toolInput) => {
        if (planned(matcher, toolName, toolInput) === "no")
          expect(isCalled(matcher, toolName, toolInput)).toBe(false);
      },
    ),
    { numRuns: 3_000 },
  );
});

test.each([
  ["git push .*--force", "git status"],
  ["^rm .*-r.+/$|^shred", "ls -r"],
  ["curl.+[|] *sh", undefined],
  ["(deploy).*now", undefined],
])(
  "the pattern %s rules a call out without the pattern engine if no word of it is there",
  (written, command) => {
    const { pattern } = quickMatcher({ pattern: written });
    expect(pattern === undefined).toBe(command === undefined);
    if (command !== undefined) expect(planned({ pattern: written }, "Shell", { command })).toBe("no");
  },
);

test("a native name is never ruled out for its canonical tool, however it is written", () => {
  const tools = fc.constantFrom(...CANONICAL_TOOLS);
  const native = fc.constantFrom(...CANONICAL_TOOLS.flatMap(nativeNames));
  const written = native.chain((each) =>
    fc.constantFrom(
      each,
      `^${each}$`,
      `${each}$`,
      `^${each}`,
      `(${each})`,
      `${each}.`,
      `${each}|deploy`,
      `(?i)${each}`,
    ),
  );
  fc.assert(
    fc.property(written, tools, (tool, toolName) => {
      if (planned({ tool }, toolName, {}) === "no") expect(isCalled({ tool }, toolName, {})).toBe(false);
    }),
  );
});

test("a pattern that was taken out of the input is never ruled out", () => {
  fc.assert(
    fc.property(text, text, text, (before, found, after) => {
      const toolInput = { command: before + found + after };
      if (isCalled({ pattern: found }, "Shell", toolInput))
        expect(planned({ pattern: found }, "Shell", toolInput)).toBe("maybe");
    }),
    { numRuns: 1_000 },
  );
});

test.each<[string, Written, string, Input]>([
  ["name too long to be searched", { tool: "Shell" }, "x".repeat(600), {}],
  ["input too deep to be read", { pattern: "rm" }, "Shell", { a: deep(100) }],
  ["input too wide to be read", { pattern: "rm" }, "Shell", { a: Array(20_000).fill("x") }],
  ["pattern that cannot be compiled", { pattern: "(" }, "Shell", {}],
])("a %s is left to the engine", (_, matcher, toolName, toolInput) => {
  expect(isCalled(matcher, toolName, toolInput)).toBe(true);
  expect(planned(matcher, toolName, toolInput)).toBe("maybe");
});

test("words that are not in a call rule a matcher out without the pattern engine", () => {
  expect(planned({ tool: "^Bash$|WriteFile" }, "ReadFile", {})).toBe("no");
  expect(planned({ tool: "Bas|^Bash_" }, "Shell", {})).toBe("no");
  expect(planned({ tool: "Shell", pattern: "rm -rf|sudo " }, "Shell", { command: "ls -l" })).toBe("no");
});

function deep(levels: number): unknown {
  let value: unknown = "hay";
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}
