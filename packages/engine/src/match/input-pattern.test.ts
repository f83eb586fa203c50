import { type Action, block } from "@tenterhook/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import { inputPattern, type MatcherLike, not } from "./matcher.ts";
import type { Match } from "./pattern.ts";
import { threadTimeMs } from "./thread-time.ts";

type Input = Record<string, unknown>;

/** What a dispatch may take at most, whatever a pattern does. */
const LONGEST_MS = 250;

describe("a pattern is searched", () => {
  test.each<[string, string | RegExp, Input, Match]>([
    ["in a string value, to its end", "\\.py$", { file_path: "src/main.py", content: "x" }, "yes"],
    ["in a string value, from its start", "^rm", { a: 1, command: "rm -rf" }, "yes"],
    ["with its flags", /^RM/i, { command: "rm -rf" }, "yes"],
    ["in no part of a value's JSON quoting", "\\.py$", { file_path: "src/main.pyc" }, "no"],
    ["in values of lists", "^-rf$", { argv: ["rm", "-rf"] }, "yes"],
    ["in values deep inside", "^needle$", { a: { b: [{ c: { d: ["needle"] } }] } }, "yes"],
    ["in the whole input as JSON, over a key and its value", '"force":\\s*true', { force: true }, "yes"],
    ["in the whole input as JSON, over several values", '"rm","-rf"', { argv: ["rm", "-rf"] }, "yes"],
    ["in the whole input as JSON, for keys", "file_path", { file_path: "x" }, "yes"],
    ["in the whole input as JSON, for numbers", "\\b8080\\b", { port: 8080 }, "yes"],
    ["in values as they are, not as JSON escapes them", 'say "hi"', { text: 'say "hi"' }, "yes"],
    ["in values with line breaks", "a\nb", { text: "a\nb" }, "yes"],
    ["in values with characters beyond ASCII", "żółć 😀", { text: "żółć 😀" }, "yes"],
    ["in a value whose key is __proto__", "^rm$", JSON.parse('{"__proto__":"rm"}') as Input, "yes"],
    ["in vain where it is not", "rm", { command: "ls" }, "no"],
    ["in vain in an empty input", "[a-z]", {}, "no"],
    ["not across two values as if they were one text", "^rm -rf$", { argv: ["rm", "-rf"] }, "no"],
  ])("%s", async (_, pattern, toolInput, expected) => {
    expect(await asked({ pattern }, toolInput)).toBe(expected);
  });

  test("so that any string anywhere in an input is found whole", () => {
    const path = fc.array(fc.oneof(fc.string(), fc.constant(undefined)), { minLength: 1, maxLength: 8 });
    return fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{1,12}$/), path, async (word, steps) => {
        // A step is a key; an absent one is an index of a list.
        const input = steps.reduceRight<unknown>(
          (inner, key) => (key === undefined ? [0, inner] : { [key]: inner }),
          word,
        );
        expect(await asked({ pattern: `^${word}$` }, { input })).toBe("yes");
      }),
    );
  });

  test("on every tool event", async () => {
    const hooks = createHooks();
    hooks.on("PostToolUse", ({ event }) => block(event), { matcher: { pattern: "\\.py$" } });
    const tool = { toolName: "Write", toolInput: { file_path: "a.py" } };
    expect((await hooks.dispatch("after_tool", { ...tool, toolResult: "" })).reason).toBe("after_tool");
    const failed = { ...tool, error: new Error("disk full") };
    expect((await hooks.dispatch("after_tool_failure", failed)).reason).toBe("after_tool_failure");
  });

  test("in the input as an earlier hook changed it", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ({ type: "proceed", patch: { toolInput: { command: "rm -rf" } } }), {
      priority: 1,
    });
    hooks.on("before_tool", () => block("asked"), { matcher: { pattern: "^rm" } });
    const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" } });
    expect(dispatch.reason).toBe("asked");
  });
});

describe("an input that cannot be read through", () => {
  const deep = (levels: number, end: unknown): Input => {
    let value = end;
    for (let level = 0; level < levels; level++) value = level % 2 ? [value] : { inner: value };
    return { value };
  };
  const cyclic = (fields: Input): Input => {
    const input: Input = { ...fields };
    input.self = input;
    return input;
  };

  test.each<[string, Input, Match]>([
    ["is nested 60 deep is read all the same", deep(60, "needle"), "yes"],
    ["is nested 60 deep, without it, is a no", deep(60, "hay"), "no"],
    ["is nested 100 deep leaves the pattern undecided", deep(100, "hay"), "unknown"],
    ["is nested 100,000 deep leaves it undecided", deep(100_000, "needle"), "unknown"],
    ["has 9,000 values is read all the same", { list: Array(9000).fill("hay") }, "no"],
    ["has 20,000 values leaves it undecided", { list: [...Array(20_000).fill("hay"), "x"] }, "unknown"],
    [
      "has 20,000 values with it among the first is a yes",
      { list: ["needle", ...Array(20_000).fill("hay")] },
      "yes",
    ],
    ["is cyclic leaves it undecided", cyclic({ command: "ls" }), "unknown"],
    ["is cyclic, with it in a value, is a yes", cyclic({ command: "needle" }), "yes"],
    ["holds a BigInt leaves it undecided", { count: 1n }, "unknown"],
  ])("because it %s", async (_, toolInput, expected) => {
    expect(await asked({ pattern: "^needle$" }, toolInput)).toBe(expected);
  });

  test.each<[string, Input]>([
    ["too deep", deep(100, "needle")],
    ["too wide", { list: [...Array(20_000).fill("hay"), "needle"] }],
    ["cyclic", cyclic({ command: "ls" })],
  ])(
    "because it is %s does not get past a guard, nor past one that states an exception",
    async (_, toolInput) => {
      expect(await asked({ pattern: "^needle$" }, toolInput)).not.toBe("no");
      expect(await asked(not(inputPattern("^needle$")), toolInput)).not.toBe("no");
    },
  );
});

describe("pathological patterns", () => {
  const MB = 1 << 20;
  const noise = randomText("ab", MB);
  const part = noise.slice(0, 2048);
  const parts = Array.from({ length: 5000 }, (_, index) => noise.slice(index * 200, index * 200 + 2048));

  /** Patterns with a text that they match only by its end, and one that they do not match at all. */
  const rows: readonly (readonly [
    pattern: string,
    hit: (text: string) => string,
    miss: (text: string) => string,
  ])[] = [
    ["(a|b)*a(a|b){200}[c#]", (text) => `${text}a${noise.slice(0, 200)}c`, (text) => `c${text}`],
    ["(a|b)*a(a|b){900}[c#]", (text) => `${text}a${noise.slice(0, 900)}c`, (text) => `c${text}`],
    ["(.*a){20}$", (text) => `${text}${"a".repeat(20)}`, (text) => `${text}b`],
    ["(x+x+)+y", (text) => `${"x".repeat(text.length)}y`, (text) => `y${"x".repeat(text.length)}`],
    ["((a?){30}a{30}){10}$", (text) => `${text}${"a".repeat(600)}`, (text) => `${text}b`],
    ["^(([ab]+)*[ab]*)*$", (text) => text, (text) => `${text}c`],
  ];

  describe.each(rows)("/%s/", (pattern, hit, miss) => {
    test.each([
      ["a megabyte that matches", () => ({ text: hit(noise) })],
      ["5,000 values of 2 KB of which the last matches", () => ({ list: [...parts.map(miss), hit(part)] })],
    ])(`never lets %s past the guard, in ${LONGEST_MS} ms`, async (_, toolInput) => {
      const { actions, ms } = await timed(guarded({ pattern }), toolInput());
      expect(actions).toEqual(["refuse"]);
      expect(ms).toBeLessThan(LONGEST_MS);
    });

    test.each([
      ["a megabyte that does not match", () => ({ text: miss(noise) })],
      ["5,000 values of 2 KB that do not match", () => ({ list: parts.map(miss) })],
    ])(
      `never lets %s past a guard that states it as the exception, in ${LONGEST_MS} ms`,
      async (_, toolInput) => {
        const { actions, ms } = await timed(guarded(not(inputPattern(pattern))), toolInput());
        expect(actions).toEqual(["refuse"]);
        expect(ms).toBeLessThan(LONGEST_MS);
      },
    );
  });

  test(`of ten hooks together take at most ${LONGEST_MS} ms of a dispatch, and every guard is called`, async () => {
    const hooks = createHooks();
    const asked = new Set<number>();
    const patterns = [...rows, ...rows].slice(0, 10).map(([pattern]) => pattern);
    for (const [index, pattern] of patterns.entries()) {
      hooks.on("before_tool", () => void asked.add(index), { matcher: { pattern } });
    }
    const list = rows.flatMap(([, hit]) => parts.slice(0, 900).map(hit));
    const { ms } = await timed(hooks, { list });
    expect([...asked]).toEqual(patterns.map((_, index) => index));
    expect(ms).toBeLessThan(LONGEST_MS);
  });

  test("leave the next dispatch its whole budget", async () => {
    const hooks = guarded({ pattern: "(a|b)*a(a|b){900}[c#]" });
    expect(
      (await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { text: noise } })).action,
    ).toBe("refuse");
    expect(
      (await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { text: "ls" } })).action,
    ).toBe("go_on");
  });
});

/** Whether a hook with this matcher is asked about an input, and whether that was decided. */
async function asked(matcher: MatcherLike, toolInput: Input): Promise<Match> {
  const { trace } = await guarded(matcher).dispatch("before_tool", { toolName: "Shell", toolInput });
  const [entry] = trace.entries;
  if (entry?.matchUndecided) return "unknown";
  return entry?.verdict === "block" ? "yes" : "no";
}

function guarded(matcher: MatcherLike): Hooks {
  const hooks = createHooks();
  hooks.on("before_tool", () => block("asked"), { matcher });
  return hooks;
}

/**
 * How much work a dispatch is and what it comes to. One that was slow is tried again, because the code has yet to be
 * compiled the first time; what it came to counts all the same.
 */
async function timed(hooks: Hooks, input: Input) {
  // As it would come from a model. A text just put together here is put in one piece on first reading, which takes time.
  const toolInput = JSON.parse(JSON.stringify(input)) as Input;
  const actions = new Set<Action>();
  let ms = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 5 && ms >= LONGEST_MS; attempt++) {
    const startedAt = threadTimeMs();
    const { action } = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput });
    ms = threadTimeMs() - startedAt;
    actions.add(action);
  }
  return { actions: [...actions], ms };
}

/** The same text every time: a small linear congruential generator. */
function randomText(letters: string, length: number): string {
  let state = 1;
  let text = "";
  for (let index = 0; index < length; index++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    text += letters[Math.floor((state / 2 ** 32) * letters.length)];
  }
  return text;
}
