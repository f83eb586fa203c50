import { hash, randomBytes } from "node:crypto";
import { compileRegex } from "@tenterhook/internal/regex";
import { TenterhookError } from "@tenterhook/protocol";
import { BudgetSpent, MeteredText, PatternBudget } from "../../match/pattern.ts";
import { badOption, checkOptions, checkWord } from "../check-options.ts";

/** A part of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** One kind of secret or personal data: how it looks, and where the look alone does not decide, a check. */
interface Kind {
  /**
   * What it looks like. The text may be a megabyte written to be slow, so an attempt reads a bounded number of characters, or an
   * unbounded run of which only one character can be the beginning. An unbounded run is written `x{20}x*`, because V8 has no room for
   * a long `x{20,}`. A match that is empty, all of it in a look-ahead, may overlap with the next one.
   */
  readonly pattern: RegExp;
  /** The part to be replaced; `undefined` if it only looks like it. Default: the look-ahead's group, else the whole match. */
  readonly check?: (match: RegExpExecArray) => Span | undefined;
}

const OCTET = "(?:25[0-5]|2[0-4]\\d|[01]?\\d?\\d)";
const EXCHANGE = "[2-9]\\d\\d";
const SECRET_WORDS =
  "passw(?:or)?d|passphrase|pwd|secret|(?:api|access|secret|private)[_.-]?key|(?:auth|access|refresh)[_.-]?token";
const QUOTE = "[\"'`]";

/** What is looked for, by name. Where two find the same, the first one names it. */
const KINDS = {
  /** PEM and PGP blocks; one that was cut off counts as far as it still looks like a key. */
  private_key: { pattern: /-----BEGIN [^\n-]{0,36}PRIVATE KEY[^\n-]{0,36}-----/g, check: privateKey },
  /** Three parts in base64url, the first of which is a JSON object. */
  jwt: { pattern: /eyJ(?<![\w-]eyJ)[\w-]{7}[\w-]*\.[\w-]{10}[\w-]*\.[\w-]*/g },
  aws_access_key: {
    pattern: /A(?<!\wA)(?:KIA|SIA|ROA|IDA|GPA|NPA|NVA|IPA|BIA|CCA)[A-Za-z0-9]{16}(?![A-Za-z0-9])/g,
  },
  github_token: { pattern: /g(?<!\wg)(?:h[pousr]_\w{36}|ithub_pat_\w{22})\w*/g },
  slack_token: { pattern: /x(?<!\wx)(?:ox[abeoprs]-|oxe\.|app-)[A-Za-z0-9.-]{10}[A-Za-z0-9.-]*/g },
  /** The keys of OpenAI, Anthropic and others that use the same form. */
  api_key: { pattern: /sk-(?<!\wsk-)[\w-]{20}[\w-]*/g },
  /** What follows `Bearer`, in a header or in prose. "bearer authentication" is a word, and this long only tokens are. */
  bearer_token: { pattern: /(?<=(?<!\w)bearer[ \t]{1,4})[\w.+/=~-]{16}[\w.+/=~-]*/gi },
  email: {
    pattern: /@(?<=([\w.+%-]{1,64})@)[a-z0-9.-]{1,252}\.[a-z]{2,63}(?![.-]*[a-z0-9])/gi,
    check: ({ index, 0: { length }, 1: local = "" }) => ({
      start: index - local.length,
      end: index + length,
    }),
  },
  /** Country, length and check digits; single spaces are allowed. */
  iban: { pattern: /(?<!\w)(?=([a-z]{2}\d\d(?: ?[a-z0-9]){11,29}))/gi, check: iban },
  /** Digits in one piece, or in groups of which the first has four. */
  credit_card: {
    pattern: /(?<!\w)(?=([2-6]\d{12,18}(?!\d)|[2-6]\d{3}(?:[ -]\d{3,15}(?!\d)){1,5}))/g,
    check: creditCard,
  },
  /** In the ranges that are issued, written with dashes. */
  ssn: { pattern: /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d\d-(?!0000)\d{4}(?!\d)/g },
  /** With a `+` and nine to fifteen digits, as E.164 has them, or North American with separators. */
  phone: {
    pattern: new RegExp(
      "(?=(\\+(?<!\\w\\+)\\d(?:[ .()/-]{0,2}\\d){8,14}(?!\\d)|" +
        `(?:\\(|(?<![\\w.-])(?:1[-. ]\\(?)?)${EXCHANGE}(?:\\)[-. ]?|[-. ])${EXCHANGE}[-. ]\\d{4}(?!\\d)))`,
      "g",
    ),
  },
  /** Not part of a longer dotted number. */
  ipv4: { pattern: new RegExp(`(?<![\\w.])(?:${OCTET}\\.){3}${OCTET}(?!\\w|\\.\\d)`, "g") },
  /** What is assigned to a secret's name: `password=…`, `"api_key": "…"`. The name stays readable. */
  secret: {
    // `==`, `=>`, `=~` and `::` are not assignments. Quotes are escaped in JSON inside JSON.
    pattern: new RegExp(
      `(:?=(?![=>~])|:(?![:=]))(?<=(?<![\\w.-])([\\w.-]{0,60}(?:${SECRET_WORDS}|_token))\\\\?${QUOTE}?[ \\t]{0,4}\\1)` +
        `([ \\t]{0,4})(?:\\\\?(${QUOTE}))?`,
      "gi",
    ),
    check: secret,
  },
} satisfies Record<string, Kind>;

/** A kind of secret or personal data that is recognised. */
export type DetectorName = keyof typeof KINDS;

export const DETECTOR_NAMES = Object.keys(KINDS) as readonly DetectorName[];

/** Finds what is of a kind in a text. */
function findKind(name: DetectorName, text: string, found: (span: Span) => void): void {
  const { pattern, check }: Kind = KINDS[name];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const { 0: whole, 1: ahead, index } = match;
    const span = check === undefined ? { start: index, end: index + (ahead ?? whole).length } : check(match);
    if (span !== undefined) found(span);
    pattern.lastIndex = whole === "" ? index + 1 : Math.max(pattern.lastIndex, span?.end ?? 0);
  }
}

/** A key of 16,384 bits is 13 KB long. */
const LONGEST_KEY = 16_384;
/** A line end is a backslash and a letter where the key is in JSON. */
const KEY_BODY = /[A-Za-z0-9+/=~ \t\r\n\\]{0,16384}/y;
/** Another beginning ends it too, so that a thousand beginnings read the text once. */
const KEY_END = /-----(?:(END )(?:[^\n-]{0,48}-----)?|BEGIN )/g;

function privateKey({ index: start, 0: { length }, input }: RegExpExecArray): Span {
  const body = start + length;
  KEY_END.lastIndex = body;
  const mark = KEY_END.exec(input);
  const isWhole = mark?.[1] !== undefined && mark.index - start <= LONGEST_KEY;
  return { start, end: isWhole ? KEY_END.lastIndex : (endOf(KEY_BODY, input, body) ?? body) };
}

/** How long an IBAN is, by country: ISO 13616. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  (
    "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
    "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
    "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
    "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30"
  )
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);

/** ISO 7064 mod 97: the first four characters come last, and one must remain. */
function iban({ index: start, 1: written = "", input }: RegExpExecArray): Span | undefined {
  let left = IBAN_LENGTHS.get(written.slice(0, 2).toUpperCase());
  if (left === undefined) return undefined;
  let end = start;
  for (const last = start + written.length; left > 0 && end < last; end++) {
    if (input.charCodeAt(end) !== SPACE) left--;
  }
  if (left > 0 || ALNUM.test(input.charAt(end))) return undefined;
  let rest = 0;
  for (let at = start + 4; at < end; at++) rest = ibanRest(rest, input.charCodeAt(at));
  for (let at = start; at < start + 4; at++) rest = ibanRest(rest, input.charCodeAt(at));
  return rest === 1 ? { start, end } : undefined;
}

const SPACE = 32;
const ALNUM = /[A-Za-z0-9]/;

/** Letters count from 10, whatever their case; spaces do not count. */
function ibanRest(rest: number, code: number): number {
  if (code === SPACE) return rest;
  const value = code < 58 ? code - 48 : (code & 31) + 9;
  return (rest * (value > 9 ? 100 : 10) + value) % 97;
}

/** The lengths that begin with each digit. Numbers that begin with 1 are more often timestamps than cards. */
const CARD_LENGTHS: readonly (readonly number[])[] = [
  [],
  [],
  [16],
  [14, 15, 16],
  [13, 16, 19],
  [16, 18, 19],
  [16, 17, 18, 19],
];

/** The longest run of groups that has a length that is issued, and passes Luhn's check. */
function creditCard({ index: start, 1: written = "", input }: RegExpExecArray): Span | undefined {
  const lengths = CARD_LENGTHS[Number(written[0])] ?? [];
  let end = start;
  let count = 0;
  // Luhn's sums of the digits so far, with the last one counted once, and doubled.
  let once = 0;
  let doubled = 0;
  for (let at = start; at < start + written.length; at++) {
    const digit = input.charCodeAt(at) - 48;
    // Separators come before the digits in ASCII.
    if (digit < 0) continue;
    const sum = doubled + digit;
    doubled = once + (digit > 4 ? digit * 2 - 9 : digit * 2);
    once = sum;
    count++;
    if (sum % 10 === 0 && lengths.includes(count) && !isDigit(input[at + 1])) end = at + 1;
  }
  return end > start ? { start, end } : undefined;
}

function isDigit(char = ""): boolean {
  return char >= "0" && char <= "9";
}

const LONGEST_NAME = 64;

// Compared with the last characters of a name only, and without repetition: it costs the same for every text.
const SECRET_NAME = new RegExp(`(?:${SECRET_WORDS})$`, "i");

/** Whether a variable, field or parameter of this name contains a secret: `DB_PASSWORD`, `apiKey`, `NPM_TOKEN`. */
export function isSecretName(name: string): boolean {
  if (name.length > LONGEST_NAME || name === "PWD" || name === "OLDPWD") return false;
  return SECRET_NAME.test(name.slice(-16)) || (name.endsWith("_TOKEN") && name === name.toUpperCase());
}

/** Not a variable or a placeholder: `${KEY}`, `$(pass show key)`, `{{ key }}`, `<your key>`. */
const QUOTED: Readonly<Record<string, RegExp>> = {
  '"': /(?!\$[{(]|\{\{|<)[^"\n]+/y,
  "'": /(?!\$[{(]|\{\{|<)[^'\n]+/y,
  "`": /(?!\$[{(]|\{\{|<)[^`\n]+/y,
};

const VALUE_END = " \\t\\r\\n,;&\"'`<>()}\\]";

/** At least four characters; not a variable, a placeholder, a redacted value, or the name of a function that is called. */
const UNQUOTED = new RegExp(
  `(?![$<[{*%])(?![^${VALUE_END}]{0,64}\\()[^${VALUE_END}]{4}[^${VALUE_END}]*`,
  "y",
);

/** At least six characters, and soon a digit that is not that of a hash in a mark. */
const UNLIKE_CODE = new RegExp(`(?=[^${VALUE_END}]{6})[^${VALUE_END}[]{0,64}?[0-9]`, "y");

function secret(match: RegExpExecArray): Span | undefined {
  const [assignment, sign, name = "", space, quote] = match;
  if (!isSecretName(name)) return undefined;
  const { input } = match;
  const start = match.index + assignment.length;
  if (quote !== undefined) {
    const end = endOf(QUOTED[quote], input, start);
    if (end === undefined) return undefined;
    // The backslash belongs to the closing quote.
    const stop = input[end] === quote && input[end - 1] === "\\" ? end - 1 : end;
    return stop > start ? { start, end: stop } : undefined;
  }
  // It may be code or prose, `password: string`, `password = ask()`: where it looks so, a digit decides.
  const looksLikeCode = sign === ":" || space !== "";
  if (looksLikeCode && endOf(UNLIKE_CODE, input, start) === undefined) return undefined;
  const end = endOf(UNQUOTED, input, start);
  // `connect(password=password)` hands a variable on.
  const isFound =
    end !== undefined && !(end - start <= LONGEST_NAME && isSecretName(input.slice(start, end)));
  return isFound ? { start, end } : undefined;
}

/** Where the pattern's match at a position ends. */
function endOf(pattern: RegExp | undefined, text: string, start: number): number | undefined {
  if (pattern === undefined) return undefined;
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

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
