type Style = (text: string) => string;

const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;

export const bold = style(1, 22);
export const dim = style(2, 22);
export const red = style(31, 39);
export const yellow = style(33, 39);
export const cyan = style(36, 39);

const LABEL_WIDTH = 6;
const MOST_LINES = 8;

/** The terminal, with a label in front of what is said, like the script of a play. */
export class Page {
  /** Whether a line has begun that more pieces may be added to. */
  #isOpen = false;

  title(text: string): void {
    this.#close();
    process.stdout.write(`${bold(text)}\n`);
  }

  blank(): void {
    this.#close();
    process.stdout.write("\n");
  }

  /** A text below its label. Of a long one only the beginning is shown. */
  line(depth: number, label: string, text: string, style: Style = (line) => line): void {
    this.#close();
    const [first = "", ...rest] = clipped(printable(text));
    const below = rest.map((line) => `${margin(depth)}${gap("")}${style(line)}\n`);
    const shown = first === "" ? dim(label) : `${dim(gap(label))}${style(first)}`;
    process.stdout.write(`${margin(depth)}${shown}\n${below.join("")}`);
  }

  /** A piece of a text that comes in pieces, on the line where the last one ended. */
  piece(depth: number, label: string, text: string): void {
    if (!this.#isOpen) process.stdout.write(`${margin(depth)}${dim(gap(label))}`);
    this.#isOpen = true;
    process.stdout.write(printable(text).replaceAll("\n", `\n${margin(depth)}${gap("")}`));
  }

  #close(): void {
    if (this.#isOpen) process.stdout.write("\n");
    this.#isOpen = false;
  }
}

function gap(label: string): string {
  return `${label.padStart(LABEL_WIDTH)}  `;
}

/** Agents that were delegated to stand to the right of the one that did. */
function margin(depth: number): string {
  return depth === 0 ? "" : dim(`${gap("")}| `.repeat(depth));
}

function clipped(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length <= MOST_LINES + 1) return lines;
  return [...lines.slice(0, MOST_LINES), `(and ${lines.length - MOST_LINES} more lines)`];
}

/** Models and tools must not be able to move the cursor or colour the terminal. */
function printable(text: string): string {
  return text.replaceAll(/(?!\n)\p{Cc}/gu, " ");
}

function style(on: number, off: number): Style {
  return isColoured ? (text) => `\u001B[${on}m${text}\u001B[${off}m` : (text) => text;
}
