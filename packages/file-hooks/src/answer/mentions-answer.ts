/**
 * Whether a text looks like an answer, though no JSON could be read from it: a key of an answer stands where a key stands.
 * In quotes of any kind that is enough for keys that only answers have. Bare keys (a JavaScript dump, YAML) and keys that
 * other output has too need a value that refuses beside them. Prose, test output and dumps without one do not match.
 */
export function mentionsAnswer(text: string): boolean {
  return readMention(text) !== undefined;
}

/** Whether what looks like an answer looks like one that refuses. */
export function readMention(text: string): "answer" | "refusal" | undefined {
  const plain = unescaped(text);
  if (!KEY.test(plain)) return undefined;
  if ([QUOTED_REFUSAL, QUOTED_SWITCH, IN_BRACES, ALONE].some((pattern) => pattern.test(plain)))
    return "refusal";
  return QUOTED.test(plain) ? "answer" : undefined;
}

/** Whether a text has a key of an answer in quotes, and beside it a value that refuses. */
export function mentionsRefusal(text: string): boolean {
  return QUOTED_REFUSAL.test(unescaped(text));
}

/** With letters that are written as escapes (`\u0064`) as letters. */
function unescaped(text: string): string {
  if (!text.includes("\\u00")) return text;
  return text.replaceAll(/\\u00([2-7][0-9a-fA-F])/g, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

// Every repetition is bounded, and each pattern begins with something rare, so that matching takes linear time.
const QUOTE = "\\\\{0,8}[\"'`\u201c\u201d\u2018\u2019]";
const GAP = String.raw`\s{0,40}`;
const STRONG =
  "(?:permission[-_]?)?decision|hook[-_]?specific[-_]?output|modified[-_]?(?:input|result|args)|updated[-_]?input|additional[-_]?context";
const REFUSING = `(?:${QUOTE})?${GAP}(?:deny|block|ask|stop)\\b`;
const SWITCH = `(?:continue${GAP}(?:${QUOTE})?${GAP}[:=]${GAP}(?:${QUOTE})?false|halt${GAP}(?:${QUOTE})?${GAP}[:=]${GAP}(?:${QUOTE})?true|(?:permission|behavior)${GAP}(?:${QUOTE})?${GAP}[:=]${GAP}(?:${QUOTE})?(?:deny|ask))\\b`;

/** Cheap, and most output has none of it. */
const KEY = /decision|specific|modified|updated|additional|continue|halt|permission|behavior/i;
/** `"decision":`, `'decision':`, `\"decision\":`. */
const QUOTED = new RegExp(`${QUOTE}${GAP}(?:${STRONG})${GAP}${QUOTE}${GAP}[:=]`, "i");
const QUOTED_REFUSAL = new RegExp(
  `${QUOTE}${GAP}(?:permission[-_]?)?decision${GAP}${QUOTE}${GAP}[:=]${GAP}${REFUSING}`,
  "i",
);
/** `"continue": false`. */
const QUOTED_SWITCH = new RegExp(`${QUOTE}${GAP}${SWITCH}`, "i");
/** `{ decision: 'deny' }`. */
const IN_BRACES = new RegExp(
  `[{,]${GAP}(?:(?:permission[-_]?)?decision${GAP}[:=]${GAP}${REFUSING}|${SWITCH})`,
  "i",
);
/** A line with nothing but `decision: deny`. */
const ALONE = new RegExp(
  `^[ \\t-]{0,40}(?:permission[-_]?)?decision[ \\t]{0,40}[:=][ \\t]{0,40}(?:${QUOTE})?(?:deny|block|ask|stop)(?:${QUOTE})?[ \\t]{0,40},?\\r?$`,
  "im",
);
