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
export const RUN_TEXT_COLUMNS = textColumns((column) => `runs.${column}`);

/** The same without objects that are larger than so many bytes as they are stored: of those no beginning can be read without the rest. */
export function smallTextColumns(bytes: number): string {
  return textColumns(
    (column) => `CASE WHEN pg_column_size(runs.${column}) <= ${bytes} THEN runs.${column} END`,
  );
}

function textColumns(json: (column: string) => string): string {
  return `
    ${takeBeginning("runs.error")} AS error,
    ${takeBeginning("runs.block_reason")} AS block_reason,
    ${takeBeginning("runs.stop_reason")} AS stop_reason,
    ${takeBeginning(`(CASE WHEN EXISTS (
        SELECT FROM run_hooks WHERE run_hooks.id = runs.hook_id AND run_hooks.hook_type = 'on_result')
      THEN (${json("parameters")}) - 'result_text' - 'result_data' ELSE ${json("parameters")} END)::text`)} AS parameters,
    ${takeBeginning(`(${json("original_parameters")})::text`)} AS original_parameters,
    ${takeBeginning("runs.result_text")} AS result_text,
    ${takeBeginning(`(${json("result_data")})::text`)} AS result_data`;
}

function takeBeginning(text: string): string {
  return `left(${text}, ${MAX_CHARACTERS})`;
}

/** The words that a run is found by. Reasons come first: they are short, and searched for most. */
export function runWords(run: RunText): readonly string[] {
  const words = new Set<string>();
  for (const [, text] of fieldTexts(run)) {
    for (const word of wordsOf(text)) {
      words.add(word);
      if (words.size === MAX_WORDS) return [...words];
    }
  }
  return [...words];
}

/** The texts of a run with the fields that they are in, each value of JSON as a text of its own. */
export function* fieldTexts(run: RunText): Generator<readonly [keyof RunText, string]> {
  for (const field of FIELDS) {
    const text = run[field];
    if (text === null) continue;
    if (!JSON_FIELDS.has(field)) yield [field, text];
    else for (const value of jsonValues(text)) yield [field, value];
  }
}

const FIELDS = [
  "error",
  "block_reason",
  "stop_reason",
  "parameters",
  "result_text",
  "result_data",
  "original_parameters",
] as const satisfies readonly (keyof RunText)[];

const JSON_FIELDS: ReadonlySet<keyof RunText> = new Set(["parameters", "result_data", "original_parameters"]);

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
