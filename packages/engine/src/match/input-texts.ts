/** The texts of an input that a pattern is searched in. */
export interface InputTexts {
  readonly texts: readonly string[];
  /** False when the input is nested or branched beyond what is read, or cannot be written as JSON. */
  readonly complete: boolean;
}

const DEEPEST = 64;
const MOST_VALUES = 10_000;

/** Every string value of an input, then the whole of it as JSON. */
export function textsOf(input: Readonly<Record<string, unknown>> | undefined): InputTexts {
  const texts: string[] = [];
  let complete = collect(input, texts, DEEPEST);
  try {
    texts.push(JSON.stringify(input) ?? "");
  } catch {
    // Cyclic, or a BigInt: there is no JSON to look at.
    complete = false;
  }
  return { texts, complete };
}

function collect(value: unknown, texts: string[], depth: number): boolean {
  if (typeof value === "string") {
    texts.push(value);
    return true;
  }
  if (typeof value !== "object" || value === null) return true;
  if (depth === 0) return false;
  let complete = true;
  for (const part of Object.values(value)) {
    if (texts.length >= MOST_VALUES) return false;
    complete = collect(part, texts, depth - 1) && complete;
  }
  return complete;
}
