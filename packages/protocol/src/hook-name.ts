/** The most characters that a hook's name has. */
export const LONGEST_HOOK_NAME = 64;

/** A hook's name as names are compared: those that are equal after NFKC are the same name, however they were typed or stored. */
export function normalName(name: string): string {
  return name.normalize("NFKC");
}

/** Counts characters, not halves of surrogate pairs. */
export function isHookNameTooLong(name: string): boolean {
  return name.length > LONGEST_HOOK_NAME && [...name].length > LONGEST_HOOK_NAME;
}

/**
 * Lower-case letters and letters without case, of any script, with their marks; digits; hyphens. Nothing that is invisible, but for the
 * joiners that some scripts need inside of words.
 */
const PLAIN =
  /^(?:(?!\p{Default_Ignorable_Code_Point})[\p{Ll}\p{Lm}\p{Lo}\p{M}\p{N}-]|(?<=[\p{M}\p{Script=Arabic}])[\u200C\u200D](?=\p{Lo}))+$/u;

/** Whether a name is one that people can read and type, and that other tools take. */
export function isPlainHookName(name: string): boolean {
  return PLAIN.test(name);
}
