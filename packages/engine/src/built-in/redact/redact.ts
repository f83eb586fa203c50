import { type RedactOptions, Redactor } from "./redactor.ts";
import { redactDeep } from "./value.ts";

/** The text with everything sensitive replaced. Throws `bad_hook` or `bad_pattern` for options that cannot be used. */
export function redactText(text: string, options: RedactOptions = DEFAULTS): string {
  return redactorFor(options).text(text, new Map());
}

/** A copy of plain data with everything sensitive replaced; the value itself when there is nothing. */
export function redactValue<T>(value: T, options: RedactOptions = DEFAULTS): T {
  // Strings become other strings and the rest keeps its shape, so the type stays true but for literal types.
  return redactDeep(value, redactorFor(options), new Map()) as T;
}

const DEFAULTS: RedactOptions = {};
const redactors = new WeakMap<RedactOptions, Redactor>();

/** Compiled once for every options object. */
function redactorFor(options: RedactOptions): Redactor {
  const known = redactors.get(options);
  if (known !== undefined) return known;
  const made = new Redactor(options);
  redactors.set(options, made);
  return made;
}
