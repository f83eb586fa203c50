import { isDeepStrictEqual } from "node:util";
import { messageOf } from "@tenterhook/internal";
import { parse, stringify } from "smol-toml";
import { type Entry, ownCommandIn, ownEvent } from "./entry.ts";
import type { EditedEntries, Untouched } from "./json-entries.ts";
import { type TomlSection, tomlSections, withoutSections } from "./toml-sections.ts";

/** Written before each section of ours. */
export const TOML_COMMENT = "# Written by tenterhook install; tenterhook uninstall takes it out.";

type Table = Readonly<Record<string, unknown>>;

interface OwnSection extends TomlSection {
  readonly event: string;
  readonly value: unknown;
}

/** The text with exactly these entries of ours, each a `[[list]]` of its own at the end. */
export function putTomlEntries(
  text: string,
  entries: readonly Entry[],
  { client, list }: { readonly client: string; readonly list: string },
): EditedEntries | Untouched {
  const before = readToml(text);
  if (typeof before === "string") return { problem: before };
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const changes = { added: [] as string[], changed: [] as string[], removed: [] as string[] };
  const kept = new Set<string>();
  const outdated: OwnSection[] = [];
  for (const own of ownSections(text, client, list)) {
    const entry = entries.find(({ event }) => event === own.event);
    if (entry !== undefined && !kept.has(own.event) && isDeepStrictEqual(own.value, entry.value))
      kept.add(own.event);
    else outdated.push(own);
  }
  let now = outdated.length === 0 ? text : withoutSections(text, outdated, TOML_COMMENT);
  const events = new Set(entries.map(({ event }) => event));
  for (const { event } of outdated) (events.has(event) ? changes.changed : changes.removed).push(event);
  for (const { event, value } of entries.filter((entry) => !kept.has(entry.event))) {
    now = appendedSection(now, `[[${list}]]`, value as Table, eol);
    if (!changes.changed.includes(event)) changes.added.push(event);
  }
  const problem = differs(text, now, { client, list, entries });
  return problem === undefined ? { text: now, created: [], ...changes } : { problem };
}

/** The text without our entries. */
export function takeTomlEntries(
  text: string,
  { client, list }: { readonly client: string; readonly list: string },
): EditedEntries | Untouched {
  const before = readToml(text);
  if (typeof before === "string") return { problem: before };
  const own = ownSections(text, client, list);
  const now = own.length === 0 ? text : withoutSections(text, own, TOML_COMMENT);
  const problem = differs(text, now, { client, list, entries: [] });
  if (problem !== undefined) return { problem };
  return { text: now, created: [], added: [], changed: [], removed: own.map(({ event }) => event) };
}

/** Our sections in a text. */
export function ownSections(text: string, client: string, list: string): readonly OwnSection[] {
  return tomlSections(text).flatMap((section) => {
    if (section.header.replaceAll(/\s/g, "") !== `[[${list}]]`) return [];
    const table = readToml(text.slice(section.start, section.end));
    const [value] = typeof table === "string" ? [] : ((table[list] as readonly unknown[] | undefined) ?? []);
    const event = ownEvent(client, ownCommandIn(client, value));
    return event === undefined ? [] : [{ ...section, event, value }];
  });
}

/** A section at the end of a text. */
export function appendedSection(text: string, header: string, table: Table, eol: string): string {
  const lines = ["", TOML_COMMENT, header, ...stringify(table).trimEnd().split("\n"), ""];
  const begun = text === "" || text.endsWith("\n") ? text : `${text}${eol}`;
  return begun + (begun === "" ? lines.slice(1) : lines).join(eol);
}

/** The table of a text; a sentence when it cannot be read. */
export function readToml(text: string): Table | string {
  try {
    // Plain objects, so that they can be compared.
    return JSON.parse(
      JSON.stringify(parse(text, { integersAsBigInt: "asNeeded" }), (_, value) =>
        typeof value === "bigint" ? String(value) : value,
      ),
    ) as Table;
  } catch (error) {
    const [first = ""] = messageOf(error).split("\n");
    const { line } = Object(error) as { line?: unknown };
    return `${typeof line === "number" ? `line ${line}: ` : ""}${first.replace(/^Invalid TOML document: /, "")}`;
  }
}

/** Compares both texts once more: only our entries may differ. Returns the problem otherwise. */
function differs(
  before: string,
  after: string,
  {
    client,
    list,
    entries,
  }: { readonly client: string; readonly list: string; readonly entries: readonly Entry[] },
): string | undefined {
  const [one, other] = [readToml(before), readToml(after)];
  if (typeof one === "string") return one;
  const unfit = `"${list}" is written in a way that entries cannot be added to; write it as [[${list}]]`;
  if (typeof other === "string") return unfit;
  const foreign = (table: Table) => {
    const items = (table[list] ?? []) as readonly unknown[];
    const { [list]: _, ...rest } = table;
    if (!Array.isArray(items)) return table;
    return { ...rest, [list]: items.filter((item) => ownCommandIn(client, item) === undefined) };
  };
  const own = ((other[list] ?? []) as readonly unknown[]).filter(
    (item) => ownCommandIn(client, item) !== undefined,
  );
  const values = new Set(entries.map(({ value }) => JSON.stringify(value)));
  const isRight =
    isDeepStrictEqual(foreign(one), foreign(other)) &&
    own.length === entries.length &&
    own.every((item) => values.has(JSON.stringify(item)));
  return isRight ? undefined : unfit;
}
