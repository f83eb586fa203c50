import { readFileSync } from "node:fs";
import type { Finding } from "@tenterhook/protocol";

/** A way of answering that is understood only by tolerance or not at all, as it stands in a script. */
interface AnswerPattern {
  readonly pattern: RegExp;
  readonly message: string;
}

const PRINT = `print {"decision": "deny", "reason": "…"} on stdout`;

const ANSWER_PATTERNS: readonly AnswerPattern[] = [
  {
    pattern: /hookSpecificOutput|permissionDecision\b/,
    message: `it answers in another client's form, which is understood; ${PRINT}`,
  },
  {
    // A line that prints an answer and redirects it.
    pattern:
      /^(?=.*["']decision\\?["']\s*:).*(?:>\s*&2|\/dev\/stderr|sys\.stderr|console\.error|process\.stderr)/,
    message: `it prints an answer on stderr, where none is read; ${PRINT}, or exit with 2 to refuse`,
  },
  {
    pattern: /\bprint\(\s*(?:\{|dict\()(?=.*\bdecision\b)/,
    message: "it prints a Python dictionary, which is no JSON; print(json.dumps(…))",
  },
  {
    pattern: /\bconsole\.log\(\s*\{(?=.*\bdecision\b)/,
    message: "it prints a JavaScript object, which is no JSON; console.log(JSON.stringify(…))",
  },
  {
    pattern: /\b(?:echo|printf)\b.*\{\s*'decision'/,
    message: `its JSON has single quotes and cannot be read; ${PRINT}`,
  },
];

/** The longest line that is looked at, and the longest script: these are hints, not a parser. */
const MAX_LINE_LENGTH = 1_000;
const MAX_SCRIPT_LENGTH = 256 * 1024;

/** What a script's text shows of how it answers. Each habit is named once, with the first line that has it. */
export function answerFindings(script: string): readonly Finding[] {
  const lines = readFileSync(script, "utf8").slice(0, MAX_SCRIPT_LENGTH).split("\n");
  return ANSWER_PATTERNS.flatMap(({ pattern, message }): Finding[] => {
    const index = lines.findIndex(
      (line) => line.length <= MAX_LINE_LENGTH && !/^\s*(?:#|\/\/)/.test(line) && pattern.test(line),
    );
    return index < 0 ? [] : [{ severity: "warning", file: script, line: index + 1, message }];
  });
}
