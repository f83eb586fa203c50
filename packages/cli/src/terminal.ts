import { randomUUID } from "node:crypto";

export type Style = (text: string) => string;

/** Marks styles until the text is printed. Foreign text cannot contain it, so it cannot colour the terminal. */
const MARK = `\uE000${randomUUID()}:`;
const MARKS = new RegExp(`${MARK}(\\d+)m`, "g");

/** The styles of a stream: none without a terminal or with NO_COLOR. */
export function palette({ isTTY }: { readonly isTTY?: boolean }) {
  const isColoured = isTTY === true && !process.env.NO_COLOR;
  const style = (on: number, off: number): Style =>
    isColoured ? (text) => `${MARK}${on}m${text}${MARK}${off}m` : plain;
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  };
}

/** No style. */
export function plain(text: string): string {
  return text;
}

export const { bold, dim, red, green, yellow } = palette(process.stdout);

/** Prints a line, or several, to standard output. */
export function print(text = ""): void {
  process.stdout.write(`${styled(text)}\n`);
}

/** Text for a terminal: `printable`, with Tenterhook's own styles. All output passes here. */
export function styled(text: string): string {
  return printable(text).replaceAll(MARKS, "\u001B[$1m");
}

export function printJson(value: unknown): void {
  print(jsonText(value, 2));
}

/** JSON for a terminal: the same value, with control characters escaped. */
export function jsonText(value: unknown, indent?: number): string {
  return safeJson(JSON.stringify(value, undefined, indent));
}

/** The same for a text that is already JSON. */
export function safeJson(json: string): string {
  return json.replaceAll(INVISIBLE, escaped);
}

/** The JSON escape of a character; characters beyond the first plane need two. */
function escaped(character: string): string {
  return [...Array(character.length).keys()]
    .map((index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, "0")}`)
    .join("");
}

/** Prints a notice to standard error. */
export function notify(message: string): void {
  process.stderr.write(`tenterhook: ${printable(message)}\n`);
}

/** The width of the terminal; without one, nothing is cut off. */
export function terminalWidth(): number {
  return process.stdout.isTTY ? Math.max(40, process.stdout.columns || 80) : Number.POSITIVE_INFINITY;
}

/** A cell of a table: text, or text in a style. */
export type Cell = string | { readonly text: string; readonly style: Style };

/** Rows in columns. Line ends in a cell become spaces; the last column is not padded. */
export function table(rows: readonly (readonly Cell[])[]): string {
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === "string" ? { text: cell, style: plain } : cell)),
  );
  const texts = cells.map((row) => row.map(({ text }) => oneLine(text)));
  const widths: number[] = [];
  for (const row of texts)
    for (const [column, text] of row.entries()) widths[column] = Math.max(widths[column] ?? 0, text.length);
  const line = (row: readonly string[], number: number) =>
    row
      .map((text, column) => {
        const padding = column === row.length - 1 ? "" : " ".repeat((widths[column] ?? 0) - text.length);
        return `${(cells[number]?.[column]?.style ?? plain)(text)}${padding}`;
      })
      .join("  ")
      .trimEnd();
  return texts.map(line).join("\n");
}

/** Rows in columns under titles. */
export function titledTable(titles: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return table([titles.map((text) => ({ text, style: bold })), ...rows]);
}

/**
 * Foreign text for a terminal: characters that would move the cursor, colour the terminal or change the writing direction are
 * escaped, so that a hook cannot disguise itself.
 */
export function printable(text: string): string {
  return text.replaceAll(INVISIBLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Control characters, format characters and Unicode line separators; ordinary line ends and tabs are kept. */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The same on one line. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/\s*\n\s*/g, " "));
}

/** `1 hook`, `2 hooks`. */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Milliseconds as readable text. */
export function duration(ms: number | undefined): string {
  if (ms === undefined) return "";
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return ms < 10_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
