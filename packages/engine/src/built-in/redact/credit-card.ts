import type { Scan } from "./scan.ts";

/** Some digits of a card without a separator between them, with what they add to a Luhn sum. */
interface Group {
  readonly start: number;
  readonly length: number;
  /** When an even number of digits follows: the last digit counts once. */
  readonly single: number;
  /** When an odd number follows: the last digit counts double. */
  readonly double: number;
}

const ZERO = 48;
const SPACE = 32;
const HYPHEN = 45;
const FEWEST_DIGITS = 13;
const MAX_DIGITS = 19;

/** The lengths that begin with each digit, as bits. Numbers that begin with 1 are more often timestamps than cards. */
const LENGTHS = [[], [], [16], [14, 15, 16], [13, 16, 19], [16, 18, 19], [16, 17, 18, 19]].map((lengths) =>
  lengths.reduce((bits, length) => bits | (1 << length), 0),
);

/**
 * Payment cards: digits in one piece, or in groups of which the first has four; Luhn checked, of a length that is
 * issued. Every group is summed up once, however many cards it might belong to.
 */
export const creditCard: Scan = (scanned, found) => {
  const { text } = scanned;
  let groups: Group[] = [];
  let end = -2;
  for (const start of scanned.numbers) {
    const length = scanned.isDigit(start + 2) ? scanned.digits(start, MAX_DIGITS + 1) - start : 1;
    const isPart = length >= 3 && length <= MAX_DIGITS;
    if (groups.length > 0 && !(isPart && start === end + 1 && isSeparator(text.charCodeAt(end)))) groups = [];
    end = start + length;
    // What nothing precedes must be a first group, or the whole card.
    if (!isPart || (groups.length === 0 && length !== 4 && length < FEWEST_DIGITS)) continue;
    groups.push(findGroup(text, start, length));
    eachCardEndingIn(groups, text, (card) => found(card, end));
  }
};

function isSeparator(code: number): boolean {
  return code === SPACE || code === HYPHEN;
}

/** Calls `visit` with the beginning of every card that ends with the last group. */
function eachCardEndingIn(groups: readonly Group[], text: string, visit: (start: number) => void): void {
  let sum = 0;
  let count = 0;
  for (let at = groups.length - 1; at >= 0; at--) {
    const group = groups[at] as Group;
    sum += count % 2 === 0 ? group.single : group.double;
    count += group.length;
    if (count > MAX_DIGITS) return;
    const isFirst = group.length === 4 || at === groups.length - 1;
    const isIssued = ((LENGTHS[text.charCodeAt(group.start) - ZERO] ?? 0) >> count) & 1;
    if (isFirst && isIssued && sum % 10 === 0) visit(group.start);
  }
}

function findGroup(text: string, start: number, length: number): Group {
  let single = 0;
  let double = 0;
  for (let at = 0; at < length; at++) {
    const digit = text.charCodeAt(start + at) - ZERO;
    const doubled = digit > 4 ? digit * 2 - 9 : digit * 2;
    const isLikeLast = (length - at) % 2 === 1;
    single += isLikeLast ? digit : doubled;
    double += isLikeLast ? doubled : digit;
  }
  return { start, length, single, double };
}
