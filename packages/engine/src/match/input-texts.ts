/** The texts of an input that a pattern is searched in. */
export interface InputTexts {
  readonly texts: readonly string[];
  /** False when the input is nested or branched beyond what is read, or cannot be written as JSON. */
  readonly complete: boolean;
}

const DEEPEST = 64;
const MAX_VALUES = 10_000;

/** Every string value of an input, then the whole of it as JSON. */
export function textsOf(input: Readonly<Record<string, unknown>> | undefined): InputTexts {
  const texts: string[] = [];
  let isComplete = new Collecting(texts).collect(input, DEEPEST);
  try {
    texts.push(JSON.stringify(input) ?? "");
  } catch {
    // Cyclic, or a BigInt: there is no JSON to look at.
    isComplete = false;
  }
  return { texts, complete: isComplete };
}

class Collecting {
  readonly #texts: string[];
  readonly #seen = new Set<object>();
  #values = 0;

  constructor(texts: string[]) {
    this.#texts = texts;
  }

  /** Whether everything in the value was read. */
  collect(value: unknown, depth: number): boolean {
    if (++this.#values > MAX_VALUES) return false;
    if (typeof value === "string") {
      this.#texts.push(value);
      return true;
    }
    if (typeof value !== "object" || value === null) return true;
    if (this.#seen.has(value)) return true;
    this.#seen.add(value);
    // A Map, a Buffer or an instance of a class may contain anything, and does not show it.
    if (depth === 0 || !isPlain(value)) return false;
    return Object.values(value).reduce<boolean>((all, part) => this.collect(part, depth - 1) && all, true);
  }
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
