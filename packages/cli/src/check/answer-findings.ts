import { readFileSync } from "node:fs";
import type { Finding } from "@tenterhook/protocol";

/** A way to answer that is only tolerated, or not understood at all. */
interface AnswerPattern {
  readonly pattern: RegExp;
  readonly message: string;
}

const PRINT = `print {"decision": "deny", "reason": "…"} on stdout`;

const ANSWER_PATTERNS: readonly AnswerPattern[] = [
  {
    pattern: /hookSpecificOutput|permissionDecision\b/,
    message: `it answers in the format of another client, which is tolerated; ${PRINT}`,
  },
  {
    // A line that prints an answer and redirects it to stderr.
    pattern:
      /^(?=.*["']decision\\?["']\s*:).*(?:>\s*&2|\/dev\/stderr|sys\.stderr|console\.error|process\.stderr)/,
    message: `it prints an answer to stderr, which is not read; ${PRINT}, or exit with 2 to refuse`,
  },
  {
    pattern: /\bprint\(\s*(?:\{|dict\()(?=.*\bdecision\b)/,
    message: "it prints a Python dictionary, which is not JSON; print(json.dumps(…))",
  },
  {
    pattern: /\bconsole\.log\(\s*\{(?=.*\bdecision\b)/,
    message: "it prints a JavaScript object, which is not JSON; console.log(JSON.stringify(…))",
  },
  {
    pattern: /\b(?:echo|printf)\b.*\{\s*'decision'/,
    message: `its JSON has single quotes, which is invalid; ${PRINT}`,
  },
];

/** Longer lines and scripts are not checked: these are hints, not a parser. */
const MAX_LINE_LENGTH = 1_000;
const MAX_SCRIPT_LENGTH = 256 * 1024;

/** Finds doubtful answers in the text of a script. Each pattern is reported once, with its first line. */
export function answerFindings(script: string): readonly Finding[] {
  const lines = readFileSync(script, "utf8").slice(0, MAX_SCRIPT_LENGTH).split("\n");
  return ANSWER_PATTERNS.flatMap(({ pattern, message }): Finding[] => {
    const index = lines.findIndex(
      (line) => line.length <= MAX_LINE_LENGTH && !/^\s*(?:#|\/\/)/.test(line) && pattern.test(line),
    );
    return index < 0 ? [] : [{ severity: "warning", file: script, line: index + 1, message }];
  });
}
