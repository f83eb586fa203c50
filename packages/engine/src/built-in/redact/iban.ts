import { ALNUM, type Scan } from "./scan.ts";

/** How long an IBAN is, by country: ISO 13616. */
const LENGTHS =
  "AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 " +
  "ES24 FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 " +
  "LB28 LC32 LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 " +
  "PT25 QA29 RO24 RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30";
const SHORTEST = 15;

const INITIALS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ", ..."abcdefghijklmnopqrstuvwxyz"];

/** Two letters as a number; the low five bits of a letter are its position in the alphabet, whatever its case. */
function countryAt(text: string, at: number): number {
  return ((text.charCodeAt(at) & 31) << 5) | (text.charCodeAt(at + 1) & 31);
}

/** Bank account numbers: country, the length it uses, single spaces allowed, check digits checked. */
export const iban: Scan = (scanned, found) => {
  if (scanned.length < SHORTEST) return;
  let values: Uint8Array | undefined;
  for (const initial of INITIALS) {
    for (const start of scanned.words(initial)) {
      if (!scanned.isDigit(start + 2) || !scanned.isDigit(start + 3)) continue;
      tables ??= makeTables();
      const length = tables.lengths[countryAt(scanned.text, start)] ?? 0;
      if (length === 0 || start + length > scanned.length) continue;
      values ??= readValues(scanned.text, tables);
      const end = ibanEnd(values, start, length, tables);
      if (end > 0 && !scanned.is(end, ALNUM)) found(start, end);
    }
  }
};

/**
 * Where the number that begins here ends; -1 when it is none. ISO 7064 mod 97: letters count from 10, the first four
 * characters come last, and one must remain.
 */
function ibanEnd(values: Uint8Array, start: number, length: number, { nextRest }: Tables): number {
  let left = length - 4;
  let rest = 0;
  let at = start + 4;
  for (; left > 0 && at < values.length; at++) {
    const value = values[at] as number;
    if (value < 36) {
      rest = nextRest[rest * 36 + value] as number;
      left--;
    } else if (value !== SPACE || values[at - 1] === SPACE) return -1;
  }
  for (let first = start; first < start + 4; first++) {
    rest = nextRest[rest * 36 + (values[first] as number)] as number;
  }
  return rest === 1 && left === 0 ? at : -1;
}

/** What each character of a text counts. Made when the first candidate comes; many may overlap and read it again. */
function readValues(text: string, tables: Tables): Uint8Array {
  const values = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    values[at] = code < 128 ? (tables.values[code] as number) : OTHER;
  }
  return values;
}

const SPACE = 36;
const OTHER = 37;

/** Made for the first text that may contain a number: a process that redacts one line need not wait for them. */
interface Tables {
  /** By country. */
  readonly lengths: Uint8Array;
  /** What each ASCII character counts. */
  readonly values: Uint8Array;
  /** What remains when a digit or a letter is appended, for each remainder; dividing every time takes twice as long. */
  readonly nextRest: Uint8Array;
}

let tables: Tables | undefined;

function makeTables(): Tables {
  const lengths = new Uint8Array(1_024);
  for (const entry of LENGTHS.split(" ")) lengths[countryAt(entry, 0)] = Number(entry.slice(2));
  const values = Uint8Array.from({ length: 128 }, (_, code) => {
    const char = String.fromCharCode(code);
    const value = Number.parseInt(char, 36);
    return Number.isNaN(value) ? (char === " " ? SPACE : OTHER) : value;
  });
  const nextRest = Uint8Array.from({ length: 97 * 36 }, (_, at) => {
    const rest = Math.floor(at / 36);
    const value = at % 36;
    return (rest * (value > 9 ? 100 : 10) + value) % 97;
  });
  return { lengths, values, nextRest };
}
