import { hash, randomBytes } from "node:crypto";
import { badOption, checkOptions, checkWord } from "../check-options.ts";
import { customScan } from "./custom-pattern.ts";
import { DETECTOR_NAMES, DETECTORS, type DetectorName } from "./detectors.ts";
import { markersIn } from "./marker.ts";
import { type Scan, ScannedText } from "./scan.ts";

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

interface Span {
  readonly start: number;
  readonly end: number;
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
  readonly #scans: readonly (readonly [kind: string, scan: Scan])[];
  readonly #kinds: ReadonlySet<string>;
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
      return [name, customScan(name, pattern)] as const;
    });
    // In the table's order, not the caller's, since the first to find something names it.
    const builtIn = DETECTOR_NAMES.filter((name) => detect.includes(name)).map(
      (name) => [name, DETECTORS[name]] as const,
    );
    this.#scans = [...own, ...builtIn];
    this.#hasOwnPatterns = own.length > 0;
    this.#kinds = new Set(this.#scans.map(([kind]) => kind));
    this.#mode = mode;
    this.#salt = salt;
    this.readsNames = detect.includes("secret");
  }

  /** The text with everything found replaced; the very same text when there was nothing. */
  text(text: string, findings: Map<string, number>): string {
    if (!this.#hasOwnPatterns && PLAIN_WORD.test(text)) return text;
    const spans = this.#spansOf(text);
    if (spans.length === 0) return text;
    const pieces: string[] = [];
    let at = 0;
    for (const { start, end, kind } of spans) {
      pieces.push(text.slice(at, start), this.#replacement(kind, text.slice(start, end), findings));
      at = end;
    }
    pieces.push(text.slice(at));
    return pieces.join("");
  }

  /** Replaces the whole of a text that is known to be secret, because of the name it is kept under. */
  whole(text: string, kind: string, findings: Map<string, number>): string {
    const isRedacted = markersIn(new ScannedText(text), this.#kinds).some(
      ({ start, end }) => start === 0 && end === text.length,
    );
    return text === "" || isRedacted ? text : this.#replacement(kind, text, findings);
  }

  #spansOf(text: string): readonly Span[] {
    const scanned = new ScannedText(text);
    const spans: Span[] = [];
    for (const [kind, scan] of this.#scans) scan(scanned, (start, end) => spans.push({ start, end, kind }));
    return spans.length === 0 ? spans : merged(spans, markersIn(scanned, this.#kinds));
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
 * Spans in order and without overlap. Where two overlap they become one, so that no end of either stays behind. What
 * was redacted before is left alone: a second look must find nothing.
 */
function merged(
  spans: Span[],
  markers: readonly { readonly start: number; readonly end: number }[],
): readonly Span[] {
  // Sorting is stable: of two equal spans the first detector's stays in front.
  spans.sort((a, b) => a.start - b.start || b.end - a.end);
  const result: Span[] = [];
  let marker = 0;
  for (const span of spans) {
    while ((markers[marker]?.end ?? Number.POSITIVE_INFINITY) <= span.start) marker++;
    const around = markers[marker];
    if (around !== undefined && around.start <= span.start && span.end <= around.end) continue;
    const last = result.at(-1);
    if (last === undefined || span.start >= last.end) result.push(span);
    else if (span.end > last.end) result[result.length - 1] = { ...last, end: span.end };
  }
  return result;
}
