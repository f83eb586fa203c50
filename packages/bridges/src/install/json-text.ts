import { type Node, type ParseError, parse, parseTree, printParseErrorCode } from "jsonc-parser";

export type JsonFormat = "json" | "jsonc";

/** A text that was parsed: its value, and its syntax tree. */
export interface JsonText {
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
