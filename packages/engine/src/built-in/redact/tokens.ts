import { ALNUM, BLANK, DASH, DOT, PADDING, type Scan, UNDERSCORE } from "./scan.ts";

/** Access keys of AWS: a four-letter kind and sixteen letters or digits. */
export const awsAccessKey = tokens({
  prefixes: ["AKIA", "ASIA", "AROA", "AIDA", "AGPA", "ANPA", "ANVA", "AIPA", "ABIA", "ACCA"],
  body: ALNUM,
  least: 16,
  most: 16,
});

const githubShort = tokens({
  prefixes: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
  body: ALNUM | UNDERSCORE,
  least: 36,
});
const githubLong = tokens({ prefixes: ["github_pat_"], body: ALNUM | UNDERSCORE, least: 22 });

export const githubToken: Scan = (scanned, found) => {
  githubShort(scanned, found);
  githubLong(scanned, found);
};

/** The `sk-…` keys of OpenAI, Anthropic and others that use the same form. */
export const apiKey = tokens({ prefixes: ["sk-"], body: ALNUM | UNDERSCORE | DASH, least: 20 });

export const slackToken = tokens({
  prefixes: ["xoxa-", "xoxb-", "xoxe-", "xoxe.", "xoxo-", "xoxp-", "xoxr-", "xoxs-", "xapp-"],
  body: ALNUM | DASH | DOT,
  least: 10,
});

interface TokenShape {
  /** All of one length, and with the same first character. */
  readonly prefixes: readonly [string, ...string[]];
  /** What comes behind the prefix, and how much of it. */
  readonly body: number;
  readonly least: number;
  readonly most?: number;
}

function tokens({ prefixes, body, least, most = Number.POSITIVE_INFINITY }: TokenShape): Scan {
  const known: ReadonlySet<string> = new Set(prefixes);
  const { length } = prefixes[0];
  const initial = prefixes[0].charAt(0);
  // The low five bits of the second characters, as a set: most words are not tokens, and this test is quick.
  const seconds = prefixes.reduce((bits, prefix) => bits | (1 << (prefix.charCodeAt(1) & 31)), 0);
  return (scanned, found) => {
    const { text } = scanned;
    let read = 0;
    for (const start of scanned.words(initial)) {
      if (start < read || start + 1 === text.length) continue;
      if (((seconds >> (text.charCodeAt(start + 1) & 31)) & 1) === 0) continue;
      if (!known.has(text.slice(start, start + length))) continue;
      read = scanned.past(start + length, body);
      const count = read - start - length;
      if (count >= least && count <= most) found(start, read);
    }
  };
}

const JWT_PART = ALNUM | UNDERSCORE | DASH;

/** JSON web tokens: three parts in base64url, the first of which is a JSON object. */
export const jwt: Scan = (scanned, found) => {
  const { text } = scanned;
  let read = 0;
  for (const start of scanned.words("e")) {
    if (start < read || !text.startsWith("eyJ", start)) continue;
    read = scanned.past(start, JWT_PART);
    if (read - start < 10 || text[read] !== "." || scanned.is(start - 1, DASH)) continue;
    const payload = scanned.past(read + 1, JWT_PART);
    if (payload - read < 10 || text[payload] !== ".") continue;
    read = scanned.past(payload + 1, JWT_PART);
    found(start, read);
  }
};

const BEARER_TOKEN = ALNUM | UNDERSCORE | DASH | DOT | PADDING;

/** What follows `Bearer`, in a header or in prose about one. */
export const bearerToken: Scan = (scanned, found) => {
  for (const initial of ["B", "b"]) {
    for (const word of scanned.words(initial)) {
      const end = word + "bearer".length;
      if (!scanned.is(end, BLANK) || scanned.text.slice(word, end).toLowerCase() !== "bearer") continue;
      const start = scanned.past(end, BLANK, end + 4);
      // "bearer authentication" is a word, and this long only tokens are.
      const close = scanned.past(start, BEARER_TOKEN);
      if (close - start >= 16) found(start, close);
    }
  }
};
