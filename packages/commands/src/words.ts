import type {
  DoubleQuotedChild,
  HereDoc,
  Assignment as ParsedAssignment,
  Redirection as ParsedRedirection,
  Word as ParsedWord,
  WordPart,
} from "unbash";
import type { CommandAssignment, Redirection, Word } from "./simple-command.ts";

/** A word without its quotes. */
export function toWord({ text, value, parts }: ParsedWord): Word {
  const isTilde = text.startsWith("~");
  if (parts === undefined) return { value, isLiteral: !isTilde };
  return { value: parts.map(partValue).join(""), isLiteral: !isTilde && parts.every(isLiteralPart) };
}

export function toAssignment({ name, value }: ParsedAssignment): CommandAssignment {
  return { name, values: value.type === "ArrayValue" ? value.elements.map(toWord) : [toWord(value)] };
}

/** An argument such as `if=file` and `name=value` of `export`, as the program gets it. */
export function assignmentWord({ text, value }: ParsedAssignment): Word {
  if (value.type === "ArrayValue") return { value: text, isLiteral: false };
  const before = text.slice(0, text.indexOf("=") + 1);
  const after = toWord(value);
  return { value: before + after.value, isLiteral: after.isLiteral };
}

export function toRedirection(redirection: ParsedRedirection): Redirection {
  const { operator, descriptor } = redirection;
  const target = redirection.type === "HereDoc" ? toText(redirection) : optionalWord(redirection.target);
  return {
    operator,
    descriptor: descriptor?.type === "FileDescriptor" ? descriptor.value : undefined,
    target,
  };
}

/** Without quotes around the word after `<<`, a backslash keeps a `$` from being filled in. */
function toText({ body: { text, parts }, delimiter }: HereDoc): Word {
  const value = delimiter?.quoted === true ? text : text.replaceAll(/\\([$`\\])/g, "$1");
  return { value, isLiteral: parts === undefined || parts.every(isLiteralPart) };
}

function optionalWord(word: ParsedWord | undefined): Word {
  return word === undefined ? { value: "", isLiteral: true } : toWord(word);
}

function partValue(part: WordPart | DoubleQuotedChild): string {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return part.value;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.map(partValue).join("");
    default:
      return part.text;
  }
}

function isLiteralPart(part: WordPart | DoubleQuotedChild): boolean {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return true;
    case "DoubleQuoted":
    case "LocaleString":
      return part.parts.every(isLiteralPart);
    default:
      return false;
  }
}
