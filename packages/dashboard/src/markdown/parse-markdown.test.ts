import { expect, test } from "vitest";
import { parseMarkdown } from "./parse-markdown.ts";

type Tokens = NonNullable<ReturnType<typeof parseMarkdown>>;

/** All tokens, with those within lines. */
const tokensOf = (text: string): Tokens =>
  (parseMarkdown(text) ?? []).flatMap((token) => [token, ...(token.children ?? [])]);
const typesOf = (text: string) => new Set(tokensOf(text).map(({ type }) => type));
/** The addresses of links and images. */
const addressesOf = (text: string) => tokensOf(text).flatMap(({ attrs }) => attrs ?? []);
/** What a reader sees, without formatting. */
const textOf = (text: string) =>
  tokensOf(text)
    .filter(({ type }) => type !== "inline")
    .map(({ type, content, info }) => (type === "fence" ? info + content : content))
    .join("");

test("lists, quotes, code, tables and links are parsed", () => {
  const types = typesOf(
    "- a\n\n> b\n\n```sh\nc\n```\n\n|d|\n|-|\n|e|\n\n**f** `g` [h](https://i.example) <https://j.example>",
  );
  for (const type of [
    "bullet_list_open",
    "blockquote_open",
    "fence",
    "table_open",
    "strong_open",
    "code_inline",
  ])
    expect(types).toContain(type);
  expect(addressesOf("[h](https://i.example) <https://j.example>")).toEqual([
    ["href", "https://i.example"],
    ["href", "https://j.example"],
  ]);
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "java\tscript:alert(1)",
  "\u0001javascript:alert(1)",
  "javascript&colon;alert(1)",
  "&#x6a;avascript:alert(1)",
  "java&#10;script:alert(1)",
  "data:text/html,<script>alert(1)</script>",
  "data:image/svg+xml,<svg/>",
  "vbscript:a",
  "file:///etc/passwd",
  "blob:https://a/b",
  "//evil.example",
  "/runs",
  "view-source:https://a",
])("%j is the address of neither a link nor an image", (href) => {
  for (const text of [
    `[a](${href})`,
    `[a](<${href}>)`,
    `![a](${href})`,
    `<${href}>`,
    `[a][b]\n\n[b]: ${href}`,
  ])
    expect(addressesOf(text), text).toEqual([]);
});

test.each(["<script>alert(1)</script>", '<img src=x onerror="alert(1)">', "<!-- x -->", "<svg/onload=a>"])(
  "the HTML %s is text",
  (text) => {
    expect(textOf(text)).toBe(text);
    expect([...typesOf(text)].filter((type) => type.startsWith("html"))).toEqual([]);
  },
);

test("the definition of a link is text, so that nothing is hidden in it", () => {
  expect(textOf("[a]: https://b.example 'c'")).toBe("[a]: https://b.example 'c'");
});

test("a text that is nested too deeply or too long is not parsed, because parts of it would be left out", () => {
  expect(parseMarkdown(`${"> ".repeat(5_000)}a`)).toBeUndefined();
  expect(parseMarkdown(`${"- ".repeat(5_000)}a`)).toBeUndefined();
  expect(parseMarkdown("a".repeat(1_000_000))).toBeUndefined();
  expect(textOf(`${"> ".repeat(20)}a`)).toBe("a");
});

test.each([
  "[",
  "![",
  "*",
  "_",
  "**a *b ",
  "*a_ ",
  "`",
  "[a](",
  "[a](<b",
  "~~a ",
  "\\",
  "<a ",
  "&#x",
  "a**",
  "|a",
])("%s, repeated to the longest text that is parsed, keeps all of its letters", (part) => {
  const text = part.repeat(Math.floor(30_000 / part.length));
  const letters = (all: string) => all.replaceAll(/[^ab]/g, "").length;
  expect(letters(textOf(text))).toBe(letters(text));
});
