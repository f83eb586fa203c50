import { wordsOf } from "./words.ts";

/** How many characters of each of its texts a run is found by, and how many different words in all. */
export const MAX_CHARACTERS = 10_000;
export const MAX_WORDS = 1_000;

/** The texts of a run, each cut to `MAX_CHARACTERS`. Objects are JSON, perhaps without its end. */
export interface RunText {
  readonly error: string | null;
  readonly block_reason: string | null;
  readonly stop_reason: string | null;
  readonly parameters: string | null;
  readonly original_parameters: string | null;
  readonly result_text: string | null;
  readonly result_data: string | null;
}

/** The columns of `RunText`. A result that a result hook has not allowed yet is left out. */
export const RUN_TEXT_COLUMNS = `
  ${takeBeginning("runs.error")} AS error,
  ${takeBeginning("runs.block_reason")} AS block_reason,
  ${takeBeginning("runs.stop_reason")} AS stop_reason,
  ${takeBeginning(`(CASE WHEN EXISTS (
      SELECT FROM run_hooks WHERE run_hooks.id = runs.hook_id AND run_hooks.hook_type = 'on_result')
    THEN runs.parameters - 'result_text' - 'result_data' ELSE runs.parameters END)::text`)} AS parameters,
  ${takeBeginning("runs.original_parameters::text")} AS original_parameters,
  ${takeBeginning("runs.result_text")} AS result_text,
  ${takeBeginning("runs.result_data::text")} AS result_data`;

function takeBeginning(text: string): string {
  return `left(${text}, ${MAX_CHARACTERS})`;
}

/** The words that a run is found by. Reasons come first: they are short, and searched for most. */
export function runWords(run: RunText): readonly string[] {
  const words = new Set<string>();
  for (const text of textsOf(run)) {
    for (const word of wordsOf(text)) {
      words.add(word);
      if (words.size === MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

function* textsOf(run: RunText): Generator<string> {
  const { error, block_reason, stop_reason, result_text } = run;
  for (const text of [error, block_reason, stop_reason]) if (text !== null) yield text;
  if (run.parameters !== null) yield* jsonValues(run.parameters);
  if (result_text !== null) yield result_text;
  for (const json of [run.result_data, run.original_parameters]) if (json !== null) yield* jsonValues(json);
}

// A string and perhaps the colon that makes it a key, or a number. The last string may have lost its end.
const JSON_VALUE = /"((?:[^"\\]|\\.)*)(?:"(:)?|\\?$)|-?\d[\d.eE+-]*/gs;

/** The strings and numbers in JSON, without its keys. The JSON may have been cut off anywhere. */
export function* jsonValues(json: string): Generator<string> {
  for (const [value, text, colon] of json.matchAll(JSON_VALUE)) {
    if (text === undefined) yield value;
    else if (colon === undefined) yield unescaped(text);
  }
}

const ESCAPES: Readonly<Record<string, string>> = { b: " ", f: " ", n: "\n", r: "\r", t: "\t" };

function unescaped(text: string): string {
  return text.includes("\\")
    ? text.replaceAll(/\\(?:u([0-9a-fA-F]{4})|(.))/gs, (_, code?: string, character = "") =>
        code === undefined
          ? (ESCAPES[character] ?? character)
          : String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text;
}
