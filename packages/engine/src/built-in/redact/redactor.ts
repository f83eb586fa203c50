import { hash, randomBytes } from "node:crypto";
import { compileRegex } from "@tenterhook/internal/regex";
import { TenterhookError } from "@tenterhook/protocol";
import { BudgetSpent, MeteredText, PatternBudget } from "../../match/pattern-budget.ts";
import { badOption, checkOptions, checkWord } from "../check-options.ts";
import { DETECTOR_NAMES, type DetectorName, findKind, type Span } from "./kinds.ts";

/** What is redacted in a text, and what is written instead. */
export interface RedactOptions {
  /** `mask` writes `[redacted:email]`, `hash` a short salted hash, the same for the same value. Default `mask`. */
  readonly mode?: "mask" | "hash";
  /** The built-in detectors to use. Default: all. */
  readonly detect?: readonly DetectorName[];
  /** Patterns of your own, by name; they run on the linear-time engine. */
  readonly custom?: Readonly<Record<string, string | RegExp>>;
  /** Makes hashes the same in every process. Default: random for each process. */
  readonly salt?: string;
}

export const REDACT_OPTIONS = ["mode", "detect", "custom", "salt"] as const;

/** Reports everything of one kind in a text. */
type Finder = (text: string, found: (span: Span) => void) => void;

interface Finding extends Span {
  readonly kind: string;
}

// Without a salt of its own a hash of a phone number is a phone number, because all numbers can be tried in a minute.
let processSalt: string | undefined;
const saltOfProcess = () => (processSalt ??= randomBytes(16).toString("hex"));
const HASH_LENGTH = 12;
/** A short word of letters: no detector finds anything in one, and most keys and many values are such words. */
const PLAIN_WORD = /^[A-Za-z_]{0,15}$/;
const PATTERN_NAME = /^[a-z][a-z0-9_-]{0,63}$/i;

/** Finds sensitive text and replaces it. */
export class Redactor {
  readonly #finders: readonly (readonly [kind: string, find: Finder])[];
  /** Where a text was redacted already: `[redacted:email]`, `[email:3f2a9c01b7d4]`. Nothing else can hide in one. */
  readonly #marker: RegExp;
  readonly #hasOwnPatterns: boolean;
  readonly #mode: "mask" | "hash";
  readonly #salt: string | undefined;
  /** Whether fields with a secret's name count, whatever they contain. */
  readonly readsNames: boolean;

  /** Throws `bad_hook`, `bad_pattern` or `unsupported_pattern` for options that cannot be used. */
  constructor(options: RedactOptions = {}) {
    const { mode = "mask", detect = DETECTOR_NAMES, custom = {}, salt } = options;
    checkOptions("redaction", options, REDACT_OPTIONS);
    checkWord("redaction", "mode", mode, ["mask", "hash"]);
    for (const name of detect) checkWord("redaction", "each of detect", name, DETECTOR_NAMES);
    const own = Object.entries(custom).map(([name, pattern]) => {
      if (!PATTERN_NAME.test(name)) throw badOption("redaction", `"${name}" cannot name a pattern.`);
      return [name, customFinder(name, pattern)] as const;
    });
    // In the table's order, not the caller's, since the first to find something names it.
    const builtIn = DETECTOR_NAMES.filter((name) => detect.includes(name)).map((name) => {
      const find: Finder = (text, found) => findKind(name, text, found);
      return [name, find] as const;
    });
    this.#finders = [...own, ...builtIn];
    this.#hasOwnPatterns = own.length > 0;
    const kinds = this.#finders.map(([kind]) => kind).join("|");
    this.#marker = new RegExp(`\\[(?:redacted:(?:${kinds})|(?:${kinds}):[0-9a-f]{${HASH_LENGTH}})\\]`, "g");
    this.#mode = mode;
    this.#salt = salt;
    this.readsNames = detect.includes("secret");
  }

  /** The text with everything found replaced; the very same text when there was nothing. */
  text(text: string, findings: Map<string, number>): string {
    if (!this.#hasOwnPatterns && PLAIN_WORD.test(text)) return text;
    const found: Finding[] = [];
    for (const [kind, find] of this.#finders)
      find(text, ({ start, end }) => found.push({ start, end, kind }));
    if (found.length === 0) return text;
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, kind } of withoutOverlap(found, this.#markersIn(text))) {
      pieces.push(text.slice(at, start), this.#replacement(kind, text.slice(start, end), findings));
      at = end;
    }
    pieces.push(text.slice(at));
    return pieces.join("");
  }

  /** Replaces the whole of a text that is known to be secret, because of the name it is kept under. */
  whole(text: string, kind: string, findings: Map<string, number>): string {
    const isRedacted = this.#markersIn(text)[0]?.end === text.length && text.startsWith("[");
    return text === "" || isRedacted ? text : this.#replacement(kind, text, findings);
  }

  #markersIn(text: string): readonly Span[] {
    return Array.from(text.matchAll(this.#marker), ({ index, 0: { length } }) => {
      return { start: index, end: index + length };
    });
  }

  #replacement(kind: string, value: string, findings: Map<string, number>): string {
    findings.set(kind, (findings.get(kind) ?? 0) + 1);
    if (this.#mode === "mask") return `[redacted:${kind}]`;
    const salt = this.#salt ?? saltOfProcess();
    const salted = `${salt.length}:${salt}${kind}:${value}`;
    return `[${kind}:${hash("sha256", salted, "hex").slice(0, HASH_LENGTH)}]`;
  }
}

/**
 * Findings in order and without overlap. Where two overlap they become one, so that no end of either stays behind. What
 * was redacted before is left alone: a second look must find nothing.
 */
function withoutOverlap(findings: Finding[], markers: readonly Span[]): readonly Finding[] {
  // Sorting is stable: of two equal findings the first detector's stays in front.
  findings.sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Finding[] = [];
  let marker = 0;
  for (const finding of findings) {
    while ((markers[marker]?.end ?? Number.POSITIVE_INFINITY) <= finding.start) marker++;
    const around = markers[marker];
    if (around !== undefined && around.start <= finding.start && finding.end <= around.end) continue;
    const last = result.at(-1);
    if (last === undefined || finding.start >= last.end) result.push(finding);
    else if (finding.end > last.end) result[result.length - 1] = { ...last, end: finding.end };
  }
  return result;
}

/** Linear as the engine is, finding every match of a pattern can still take the square of the text's length. */
const LONGEST_MS = 1_000;

/** Throws `bad_pattern` or `unsupported_pattern` when the pattern cannot be used. */
function customFinder(name: string, pattern: string | RegExp): Finder {
  const source = typeof pattern === "string" ? pattern : pattern.source;
  const flags = typeof pattern === "string" ? "" : pattern.flags;
  const compiled = compileRegex(source, flags);
  const size = compiled.programSize();
  return (text, found) => {
    const budget = new PatternBudget(LONGEST_MS);
    const metered = new MeteredText(text, budget, size);
    try {
      // A String object is text to the engine, and lets us interrupt it.
      const matcher = compiled.matcher(metered as unknown as string);
      budget.spend(() => {
        while (matcher.find()) {
          if (matcher.end() > matcher.start()) found({ start: matcher.start(), end: matcher.end() });
        }
      });
    } catch (error) {
      if (!(error instanceof BudgetSpent)) throw error;
      const problem = `the custom pattern "${name}" took longer than ${LONGEST_MS} ms.`;
      const hint = "Make it simpler, or bound its repetitions.";
      throw new TenterhookError("bad_pattern", problem, { hint });
    }
  };
}
