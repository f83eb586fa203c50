import {
  createScanner,
  type Node,
  type ParseError,
  parse,
  parseTree,
  printParseErrorCode,
} from "jsonc-parser";

export type JsonFormat = "json" | "jsonc";

/** A text that was parsed: its value, and its syntax tree. */
interface JsonText {
  readonly value: unknown;
  readonly tree: Node;
}

/** Reads JSON, or JSON with comments, as the client that owns the file would; returns a sentence when that fails. */
export function readJson(text: string, format: JsonFormat): JsonText | string {
  const errors: ParseError[] = [];
  const isLoose = format === "jsonc";
  const options = { allowTrailingComma: isLoose, disallowComments: !isLoose };
  const tree = parseTree(text, errors, options);
  const [error] = errors;
  if (error !== undefined)
    return `line ${lineAt(text, error.offset)}: ${errorText(printParseErrorCode(error.error))}`;
  if (tree === undefined) return "it is empty";
  return { tree, value: isLoose ? parse(text, [], options) : JSON.parse(text) };
}

/** A key that an object on the path has twice: clients read the last one, so an edit would have to guess. */
export function repeatedKey(tree: Node, keys: readonly string[]): string | undefined {
  let node: Node | undefined = tree;
  for (const key of keys) {
    const found: readonly Node[] = (node?.children ?? []).filter(
      ({ children }) => children?.[0]?.value === key,
    );
    if (found.length > 1) return key;
    node = found[0]?.children?.[1];
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split("\n").length;
}

function errorText(code: string): string {
  const words = code.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words === "invalid comment token" ? "it has a comment, which this client does not read" : words;
}

// Not by `modify` of jsonc-parser: with its formatting it rewrites what stands on the same line, without it an item comes before the comment
// behind the last one, and an emptied list keeps its line breaks. Uninstalling must give the same bytes.

/** How a file is written, so that what is added looks like the rest. */
interface JsonStyle {
  readonly unit: string;
  readonly eol: string;
  /** Everything stands on one line. */
  readonly isCompact: boolean;
}

export function readStyle(text: string): JsonStyle {
  const eol = /\r\n/.test(text) ? "\r\n" : "\n";
  const unit = /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
  return { unit, eol, isCompact: !text.trim().includes("\n") && text.trim().length > 2 };
}

/** The text with one more item at the end of an array or object; comments and neighbours stay as they are. */
export function appendMember(text: string, container: Node, member: Member, style: JsonStyle): string {
  const last = container.children?.at(-1);
  const open = container.offset + 1;
  const end = container.offset + container.length - 1;
  if (last === undefined) {
    const inside = text.slice(open, end);
    if (style.isCompact) return splice(text, open, end, `${inside}${memberText(member, style, "")}`);
    const outer = indentAt(text, container.offset);
    const inner = outer + style.unit;
    const item = `${style.eol}${inner}${memberText(member, style, inner)}${style.eol}${outer}`;
    return splice(text, open, end, inside.trimEnd() + item);
  }
  const lastEnd = last.offset + last.length;
  const comma = commaAfter(text, lastEnd, end);
  const isInline = !text.slice(open, lastEnd).includes("\n") && !startsLine(text, last.offset);
  if (style.isCompact || isInline) {
    const space = style.isCompact ? "" : " ";
    const item = memberText(member, { ...style, isCompact: true }, "");
    return splice(
      text,
      comma ?? lastEnd,
      comma ?? lastEnd,
      `${comma === undefined ? "," : ""}${space}${item}`,
    );
  }
  const inner = indentAt(text, last.offset);
  const item = `${style.eol}${inner}${memberText(member, style, inner)}`;
  const at = endOfComment(text, comma ?? lastEnd, end);
  if (comma !== undefined) return splice(text, at, at, `${item},`);
  return splice(splice(text, at, at, item), lastEnd, lastEnd, ",");
}

/** The text without one of the items of an array or object, with its comma and its line. */
export function removeMember(text: string, container: Node, index: number): string {
  const members = container.children ?? [];
  const member = members[index];
  if (member === undefined) return text;
  const open = container.offset + 1;
  const close = container.offset + container.length - 1;
  const end = member.offset + member.length;
  const before = members[index - 1];
  const comma = commaAfter(text, end, close);
  const start = startOfGap(text, before === undefined ? open : before.offset + before.length, member.offset);
  if (before === undefined) {
    // A container that becomes empty keeps comments only.
    const from = comma ?? end;
    const left = text.slice(open, start) + text.slice(from, close);
    return members.length === 1 && left.trim() === ""
      ? splice(text, start, close, "")
      : splice(text, start, from, "");
  }
  if (comma !== undefined) return splice(text, start, comma, "");
  const removed = splice(text, start, end, "");
  const earlier = before.offset + before.length;
  const itsComma = commaAfter(text, earlier, member.offset);
  return itsComma === undefined ? removed : splice(removed, itsComma - 1, itsComma, "");
}

/** The text with another value in a node's place. */
export function replaceValue(text: string, node: Node, value: unknown, style: JsonStyle): string {
  const isInline = !text.slice(node.offset, node.offset + node.length).includes("\n");
  const written = memberText({ value }, { ...style, isCompact: isInline }, indentAt(text, node.offset));
  return splice(text, node.offset, node.offset + node.length, written);
}

/** An item of an array, or with a key a property of an object. */
export interface Member {
  readonly key?: string;
  readonly value: unknown;
}

function memberText({ key, value }: Member, { unit, eol, isCompact }: JsonStyle, indent: string): string {
  const json = isCompact ? JSON.stringify(value) : JSON.stringify(value, undefined, unit);
  const lines = json.split("\n").join(`${eol}${indent}`);
  return key === undefined ? lines : `${JSON.stringify(key)}:${isCompact ? "" : " "}${lines}`;
}

/** The offset after the comma that follows `from`, if there is one before `end`. */
function commaAfter(text: string, from: number, end: number): number | undefined {
  const scanner = createScanner(text, true);
  scanner.setPosition(from);
  scanner.scan();
  const offset = scanner.getTokenOffset();
  return text[offset] === "," && offset < end ? offset + 1 : undefined;
}

/** The offset after a comment on the same line, which belongs to the member before it. */
function endOfComment(text: string, from: number, end: number): number {
  const comment = /^[ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/)/.exec(text.slice(from, end));
  return comment === null ? from : from + comment[0].length;
}

/** The start of the line break and indentation before a member; a comment between it and the previous member is kept. */
function startOfGap(text: string, from: number, member: number): number {
  const gap = /\s*$/.exec(text.slice(from, member));
  return member - (gap?.[0].length ?? 0);
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function startsLine(text: string, offset: number): boolean {
  return /(?:^|\n)[ \t]*$/.test(text.slice(0, offset));
}

function splice(text: string, from: number, to: number, inserted: string): string {
  return text.slice(0, from) + inserted + text.slice(to);
}
