import MarkdownIt, { type Token } from "markdown-it";
import { isSafeLink } from "./is-safe-link.ts";

/** Longer texts are not parsed. */
const MAX_CHARACTERS = 30_000;
/** The parser leaves out what is nested more deeply. */
const MAX_NESTING = 50;

/** HTML is text, and a link that is not safe stays as it was written. Nothing of a text is left out, so definitions of links are text, too. */
const parser = new MarkdownIt({ html: false, linkify: false, typographer: false, breaks: true }).disable(
  "reference",
);
parser.options.maxNesting = MAX_NESTING;
parser.validateLink = isSafeLink;

/** The tokens of a Markdown text. Undefined when it is to be shown as it is, because it is too long or too deeply nested. */
export function parseMarkdown(text: string): readonly Token[] | undefined {
  if (text.length > MAX_CHARACTERS) return undefined;
  const tokens = parser.parse(text, {});
  return tokens.some(({ level }) => level >= MAX_NESTING - 1) ? undefined : tokens;
}
