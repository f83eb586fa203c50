import { normalName } from "@tenterhook/protocol/internal";

/** What is known of a hook at start-up: enough to know which events concern it, and its name. */
export interface QuickHead {
  readonly name: string;
  readonly trigger: string;
}

/** A plain word, bare or in quotes, with nothing behind it but a comment. Everything else is left to the parser. */
const WORD = /^(?:"([A-Za-z0-9_:-]+)"|'([A-Za-z0-9_:-]+)'|([A-Za-z0-9_:-]+))[ \t]*(?:#.*)?\r?$/;

/** A word in another script. It is tried second, because it takes several times as long. */
const ANY_WORD =
  /^(?:"([\p{L}\p{M}\p{N}_-]+)"|'([\p{L}\p{M}\p{N}_-]+)'|([\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*))[ \t]*(?:#.*)?\r?$/u;

/**
 * Reads name and trigger off frontmatter without parsing it: a thousand hooks are looked through at start-up, and all
 * but a few are for events that never come. Gives up on anything unusual, and the parser reads the file then.
 */
export function quickHead(yaml: string): QuickHead | undefined {
  const name = field(yaml, "name", WORD) ?? nameInAnyScript(yaml);
  const trigger = field(yaml, "trigger", WORD);
  return name === undefined || trigger === undefined ? undefined : { name, trigger };
}

function nameInAnyScript(yaml: string): string | undefined {
  const name = field(yaml, "name", ANY_WORD);
  return name === undefined ? undefined : normalName(name);
}

function field(yaml: string, key: string, pattern: RegExp): string | undefined {
  const start = lineStart(yaml, `${key}:`, 0);
  if (start < 0 || lineStart(yaml, `${key}:`, start + 1) >= 0) return undefined;
  const end = yaml.indexOf("\n", start);
  const value = yaml.slice(start + key.length + 1, end < 0 ? undefined : end).trimStart();
  const word = pattern.exec(value);
  return word?.[1] ?? word?.[2] ?? word?.[3];
}

/** Where a line begins with these words. */
function lineStart(text: string, words: string, from: number): number {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    if (at === 0 || text[at - 1] === "\n") return at;
  }
  return -1;
}
