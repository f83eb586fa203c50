type Style = (text: string) => string;

const isColoured = process.stdout.isTTY === true && !process.env.NO_COLOR;

export const bold = style(1, 22);
export const dim = style(2, 22);
export const red = style(31, 39);
export const yellow = style(33, 39);
export const cyan = style(36, 39);

const LABEL_WIDTH = 6;
const MAX_LINES = 8;

/** Prints lines with a label in front. */
export class Page {
  /** Whether the current line may be continued. */
  #isOpen = false;

  title(text: string): void {
    this.#close();
    process.stdout.write(`${bold(text)}\n`);
  }

  blank(): void {
    this.#close();
    process.stdout.write("\n");
  }

  /** Prints a text with its label. A long text is cut. */
  line(depth: number, label: string, text: string, style: Style = (line) => line): void {
    this.#close();
    const [first = "", ...rest] = clipped(printable(text));
    const below = rest.map((line) => `${margin(depth)}${gap("")}${style(line)}\n`);
    const shown = first === "" ? dim(label) : `${dim(gap(label))}${style(first)}`;
    process.stdout.write(`${margin(depth)}${shown}\n${below.join("")}`);
  }

  /** Continues a streamed text. */
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

/** Subagents are indented. */
function margin(depth: number): string {
  return depth === 0 ? "" : dim(`${gap("")}| `.repeat(depth));
}

function clipped(text: string): readonly string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length <= MAX_LINES + 1) return lines;
  return [...lines.slice(0, MAX_LINES), `(and ${lines.length - MAX_LINES} more lines)`];
}

/** Models and tools must not be able to move the cursor or colour the terminal. */
function printable(text: string): string {
  return text.replaceAll(/(?!\n)\p{Cc}/gu, " ");
}

function style(on: number, off: number): Style {
  return isColoured ? (text) => `\u001B[${on}m${text}\u001B[${off}m` : (text) => text;
}
