import { z } from "zod";

/** The name of a person or a program, as decisions, stops and edits show it, is not longer. */
export const LONGEST_NAME = 64;

/** What a reader cannot see, or what changes how the text around a name is read. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

/** What a token or a sign-in link is called: a person, or a program. */
export const personName = z
  .string()
  .superRefine((text, context) => {
    const [unseen] = UNSEEN.exec(text) ?? [];
    if (unseen === undefined) return;
    const code = (unseen.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
    context.addIssue({
      code: "custom",
      message: `must not contain U+${code}, ${describeKind(unseen)}; leave it out`,
    });
  })
  .normalize("NFC")
  .trim()
  .min(1, "must not be empty")
  .max(LONGEST_NAME, `must be at most ${LONGEST_NAME} characters`)
  .describe("of a person or a program, without control characters and marks of direction");

function describeKind(character: string): string {
  if (DIRECTION.test(character)) return "a mark that changes the direction of text";
  return /[\p{Cc}\p{Zl}\p{Zp}]/u.test(character) ? "a control character" : "a character that is not shown";
}
