import { TenterhookError } from "@tenterhook/protocol";
import { checkKnownOptions } from "../register/hook.ts";

/** Throws `bad_hook` for an option that does not exist: a misspelt limit must not silently have no effect. */
export function checkOptions(hook: string, options: unknown, known: readonly string[]): void {
  checkKnownOptions(options, known, { hook });
}

/** Throws `bad_hook` unless the option is absent or a finite number, not below `least`. */
export function checkNumber(
  hook: string,
  key: string,
  value: unknown,
  { least, whole }: { readonly least: number; readonly whole: boolean },
): void {
  if (value === undefined) return;
  const fits = whole ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (fits && (value as number) >= least) return;
  throw badOption(
    hook,
    `${key} must be ${whole ? "an integer" : "a number"} from ${least}, not ${String(value)}.`,
  );
}

/** Throws `bad_hook` unless the option is absent or one of the words. */
export function checkWord(hook: string, key: string, value: unknown, words: readonly string[]): void {
  if (value === undefined || words.includes(value as string)) return;
  throw badOption(hook, `${key} must be ${words.join(", ")}, not ${String(value)}.`);
}

export function badOption(hook: string, message: string, hint?: string): TenterhookError {
  return new TenterhookError("bad_hook", message, { hook, hint });
}
