import type { Token } from "markdown-it";
import { createElement, Fragment, type ReactNode } from "react";
import { visibleText } from "../components/visible-text.ts";
import { linkTarget } from "./is-safe-link.ts";
import classes from "./markdown.module.css";
import { parseMarkdown } from "./parse-markdown.ts";

/** A Markdown text as elements. Undefined when it is to be shown as it is. */
export function renderMarkdown(text: string): ReactNode | undefined {
  const tokens = parseMarkdown(text);
  return tokens === undefined ? undefined : createElement(Fragment, null, ...renderTokens(tokens));
}

/** Without recursion over blocks: `open` has the elements that are not closed yet, with their children. */
function renderTokens(tokens: readonly Token[]): readonly ReactNode[] {
  const root: ReactNode[] = [];
  const open: { readonly token: Token; readonly children: ReactNode[] }[] = [];
  for (const token of tokens) {
    if (token.nesting === 1) {
      open.push({ token, children: [] });
      continue;
    }
    const closed = token.nesting === -1 ? open.pop() : undefined;
    const element = closed === undefined ? renderLeaf(token) : renderElement(closed.token, closed.children);
    (open.at(-1)?.children ?? root).push(element);
  }
  return root;
}

/** Elements that need nothing but their children. */
const PLAIN_TAGS: Readonly<Record<string, string>> = {
  paragraph_open: "p",
  blockquote_open: "blockquote",
  bullet_list_open: "ul",
  list_item_open: "li",
  thead_open: "thead",
  tbody_open: "tbody",
  tr_open: "tr",
  th_open: "th",
  td_open: "td",
  strong_open: "strong",
  em_open: "em",
  s_open: "s",
};

function renderElement(token: Token, children: readonly ReactNode[]): ReactNode {
  const plain = PLAIN_TAGS[token.type];
  // The paragraphs of a list without empty lines.
  if (token.hidden || (plain === undefined && !(token.type in ELEMENTS)))
    return createElement(Fragment, null, ...children);
  return plain === undefined
    ? ELEMENTS[token.type]?.(token, children)
    : createElement(plain, null, ...children);
}

type RenderElement = (token: Token, children: readonly ReactNode[]) => ReactNode;

const ELEMENTS: Readonly<Record<string, RenderElement>> = {
  ordered_list_open: (token, children) =>
    createElement("ol", { start: Number(token.attrGet("start") ?? 1) }, ...children),
  // Below the heading of its entry, whatever the agent wrote before.
  heading_open: ({ tag }, children) =>
    createElement(
      "div",
      { role: "heading", "aria-level": 3, className: classes.heading, "data-tag": tag },
      ...children,
    ),
  table_open: (_token, children) =>
    createElement(
      "div",
      { className: classes.table, role: "group", "aria-label": "Table", tabIndex: 0 },
      createElement("table", null, ...children),
    ),
  link_open: (token, children) => renderLink(token, "href", children),
};

function renderLeaf(token: Token): ReactNode {
  switch (token.type) {
    case "inline":
      return createElement(Fragment, null, ...renderTokens(token.children ?? []));
    case "softbreak":
    case "hardbreak":
      return createElement("br");
    case "hr":
      return createElement("hr");
    case "code_inline":
      return createElement("code", null, visibleText(token.content));
    case "fence":
    case "code_block":
      return createElement(
        "pre",
        null,
        token.info !== "" && createElement("span", { className: classes.info }, visibleText(token.info)),
        createElement("code", null, visibleText(token.content)),
      );
    case "image":
      // Loading it would tell another site who reads this.
      return renderLink(token, "src", [`Image: ${visibleText(token.content)}`]);
    default:
      return visibleText(token.content);
  }
}

/** A link names where it leads, because its text may say otherwise. */
function renderLink(token: Token, attribute: "href" | "src", children: readonly ReactNode[]): ReactNode {
  const href = String(token.attrGet(attribute) ?? "");
  const target = linkTarget(href);
  if (target === undefined) return createElement(Fragment, null, ...children);
  const title = token.attrGet("title");
  return createElement(
    Fragment,
    null,
    createElement("a", { href, target: "_blank", rel: "noopener noreferrer nofollow" }, ...children),
    createElement(
      "span",
      { className: classes.target },
      ` (${visibleText(title === null ? target : `${target}: ${title}`)})`,
    ),
  );
}
