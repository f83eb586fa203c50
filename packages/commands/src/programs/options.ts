import { UNKNOWN } from "../values.ts";
import type { Row } from "./row.ts";

/** Words of a command, told apart by its row. */
export interface ParsedWords {
  /** In their order. `undefined` for a switch. The name of one that cannot be known is `UNKNOWN`. */
  readonly options: readonly { readonly name: string; readonly value: string | undefined }[];
  readonly operands: readonly string[];
  /** Where the first operand stands among the words. */
  readonly firstOperand: number;
}

/** Which options take values, and what these are. */
interface OptionTable {
  readonly roles: ReadonlyMap<string, string>;
  readonly attached: ReadonlySet<string>;
  readonly longNames: readonly string[];
}

const TABLES = new WeakMap<Row, OptionTable>();

/** Reads options as getopt does: joined, abbreviated, with values in the same or in the next word. */
export function parseWords(words: readonly string[], row: Row, style = row.style): ParsedWords {
  const { roles, attached, longNames } = tableOf(row);
  const options: { name: string; value: string | undefined }[] = [];
  const operands: string[] = [];
  let firstOperand = words.length;
  let isEnded = false;
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    const bundle = style === "bundle" && at === 0 && /^[a-zA-Z]/.test(word);
    if (isEnded || (!bundle && (!word.startsWith("-") || word === "-"))) {
      if (operands.length === 0) firstOperand = at;
      operands.push(word);
      if (style === "posix") isEnded = true;
    } else if (word === "--") isEnded = true;
    else if (word.startsWith("--") || (style === "dash" && word.length > 2)) {
      const equals = word.indexOf("=");
      const written = word.slice(0, equals < 0 ? undefined : equals).replace(/^--?/, "");
      const name = roles.has(written) ? written : longName(written, longNames);
      const value = equals >= 0 ? word.slice(equals + 1) : roles.has(name) ? words[++at] : undefined;
      options.push({ name, value });
    } else at = parseLetters(bundle ? word : word.slice(1), words, at, bundle);
  }
  return { options, operands, firstOperand };

  function parseLetters(letters: string, all: readonly string[], from: number, isBundle: boolean): number {
    let at = from;
    for (let index = 0; index < letters.length; index++) {
      const letter = letters[index] ?? "";
      const rest = letters.slice(index + 1);
      if (letter >= UNKNOWN) options.push({ name: UNKNOWN, value: undefined });
      else if (attached.has(letter)) {
        options.push({ name: letter, value: rest });
        break;
      } else if (!roles.has(letter)) options.push({ name: letter, value: undefined });
      else if (isBundle) options.push({ name: letter, value: all[++at] });
      else {
        options.push({ name: letter, value: rest === "" ? all[++at] : rest.replace(/^=/, "") });
        break;
      }
    }
    return at;
  }
}

/** The role of an option's value; `undefined` if it takes none. */
export function roleOfOption(row: Row, name: string): string | undefined {
  return tableOf(row).roles.get(name);
}

export function hasOption({ options }: ParsedWords, names: string): boolean {
  const wanted = names.split(" ");
  return options.some(({ name }) => wanted.includes(name));
}

function longName(name: string, longNames: readonly string[]): string {
  if (name >= UNKNOWN) return UNKNOWN;
  if (longNames.includes(name)) return name;
  return longNames.find((each) => each.startsWith(name)) ?? name;
}

function tableOf(row: Row): OptionTable {
  const known = TABLES.get(row);
  if (known !== undefined) return known;
  const roles = new Map<string, string>();
  const attached = new Set<string>();
  for (const entry of split(row.values)) {
    const [name = "", role = "-"] = entry.split("=");
    if (name.endsWith("?")) attached.add(name.slice(0, -1));
    else roles.set(name, role);
  }
  const switches = [
    ...split(Object.keys(row.when ?? {}).join(" ")),
    ...split(row.harmless),
    ...split(row.switches),
    "help",
    "version",
  ];
  const longNames = [...roles.keys(), ...switches].filter((name) => name.length > 1);
  const table = { roles, attached, longNames };
  TABLES.set(row, table);
  return table;
}

function split(list: string | undefined): readonly string[] {
  return list === undefined || list === "" ? [] : list.split(" ");
}
