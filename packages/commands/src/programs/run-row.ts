import type { EffectName, Target } from "../effects.ts";
import { nameTarget } from "../targets.ts";
import { CLASSES, UNKNOWN, unknownParts } from "../values.ts";
import { hasOption, type ParsedWords, parseWords, roleOfOption } from "./options.ts";
import type { Call, Row } from "./row.ts";

/** What a program may do to the line that it is in. */
export type LinePort = Omit<
  Call,
  "name" | "words" | "operands" | "has" | "value" | "values" | "effectOn" | "send"
> & {
  note(name: EffectName, targets: readonly Target[]): void;
};

/** Does what a row says about a command with these words. */
export function runRow(row: Row, name: string, words: readonly string[], line: LinePort): void {
  runParsed(row, name, words, line, []);
}

type Options = ParsedWords["options"];

function runParsed(row: Row, name: string, words: readonly string[], line: LinePort, outer: Options): void {
  const parsed = parseWords(words, row, row.commands === undefined ? row.style : "posix");
  const options = [...outer, ...parsed.options];
  const call = createCall(name, words, { ...parsed, options }, line);
  if (row.commands !== undefined && parsed.operands.length > 0) {
    row.run?.(call);
    runSubcommand(row, name, words.slice(parsed.firstOperand), line, options);
    return;
  }
  // Its own text about itself may be run.
  if (!isHarmless(row, { ...parsed, options })) runChanged(changedBy(row, call), call, line, options);
}

function runSubcommand(
  row: Row,
  name: string,
  words: readonly string[],
  line: LinePort,
  options: Options,
): void {
  const [subcommand = "", ...rest] = words;
  const found = findRow(row.commands ?? {}, subcommand);
  if (found === undefined) {
    if (OWN_TEXT.test(subcommand)) return;
    if (subcommand >= UNKNOWN) line.note("execute.unknown", []);
    line.print(UNKNOWN + unknownParts(words.join("")));
    return;
  }
  runParsed(inherit(row, found), `${name} ${subcommand}`, rest, line, options);
}

/** What these print is a program's own text for a shell. */
const OWN_TEXT = /^(?:completions?|generate-shell-completion|shellenv|shell\.\w+)$/;

/** A row of a table by a name; `*` is any other. */
export function findRow(table: Readonly<Record<string, Row>>, name: string): Row | undefined {
  let index = INDEXES.get(table);
  if (index === undefined) {
    index = new Map(
      Object.entries(table).flatMap(([names, row]) => names.split(" ").map((each) => [each, row])),
    );
    INDEXES.set(table, index);
  }
  return index.get(name) ?? index.get("*");
}

const INDEXES = new WeakMap<object, Map<string, Row>>();
const INHERITED = new WeakMap<Row, WeakMap<Row, Row>>();

/** A subcommand takes the options of its program, too. */
function inherit(outer: Row, row: Row): Row {
  const ofOuter = INHERITED.get(outer) ?? new WeakMap<Row, Row>();
  const known = ofOuter.get(row);
  if (known !== undefined) return known;
  const joined = (a: string | undefined, b: string | undefined) => [a, b].filter(Boolean).join(" ");
  const style = row.style ?? outer.style;
  const merged: Row = {
    ...row,
    values: joined(outer.values, row.values),
    harmless: joined(outer.harmless, row.harmless),
    ...(style === undefined ? {} : { style }),
  };
  INHERITED.set(outer, ofOuter.set(row, merged));
  return merged;
}

function changedBy(row: Row, call: Call): Row {
  let changed = row;
  for (const [names, change] of Object.entries(row.when ?? {}))
    if (call.has(names)) changed = { ...changed, ...change };
  return changed;
}

/** An option with a value is not the switch of that name: `helm install --version 1.2`, `--dry-run=none`. */
function isHarmless(row: Row, { options }: ParsedWords): boolean {
  const names = row.harmless?.split(" ") ?? [];
  return options.some(({ name, value }) =>
    value === undefined
      ? name === "help" || name === "version" || names.includes(name)
      : names.includes(name) && !/^(?:none|false|no|0)$/.test(value),
  );
}

function runChanged(row: Row, call: Call, line: LinePort, options: Options): void {
  const contents: string[] = [];
  const names: Target[] = [];
  const act = (role: string, value: string) => {
    if (role === "read") contents.push(call.read(value));
    else if (role === "use") call.read(value);
    else if (role === "send") call.send(call.read(value));
    else if (role === "host" || role === "name") names.push(nameTarget(role, value));
    else if (role === "code") call.startText(value);
    else if (role !== "-" && role !== "write" && role !== "program") call.effect(role as EffectName, value);
  };
  const writes: string[] = [];
  for (const { name, value } of options) {
    const role = roleOfOption(row, name);
    if (value === undefined || role === undefined) continue;
    if (role === "write") writes.push(value);
    else act(role, value);
  }
  const roles = rolesFor(row.operands, call.operands.length);
  for (const [index, operand] of call.operands.entries()) {
    const role = roles[index] ?? "-";
    if (role === "program") {
      call.print(call.start(call.operands.slice(index)));
      break;
    }
    if (role === "write") writes.push(operand);
    else act(role, operand);
  }
  if (
    contents.length === 0 &&
    (row.reads === "input" || row.prints === "content" || row.prints === "decoded")
  )
    contents.push(call.input);
  const content = contents.join("\n");
  for (const path of writes) call.write(path, content || UNKNOWN);
  for (const effect of row.effects?.split(" ") ?? []) line.note(effect as EffectName, names);
  row.run?.(call);
  const printed = printedBy(row, content, call);
  if (printed !== "") call.print(printed);
}

/** The role of each operand: one that ends with `*` is for as many as the others leave. */
export function rolesFor(operands: string | undefined, count: number): readonly string[] {
  if (operands === undefined) return [];
  const roles = operands.split(" ");
  const star = roles.findIndex((role) => role.endsWith("*"));
  if (star < 0) return roles;
  const repeated = Array<string>(Math.max(0, count - roles.length + 1)).fill(
    (roles[star] ?? "").slice(0, -1),
  );
  // With too few, the last ones count: `cp a` writes nothing, `tee` of nothing neither.
  const all = [...roles.slice(0, star), ...repeated, ...roles.slice(star + 1)];
  return all.slice(0, Math.max(count, 0));
}

function printedBy({ prints, run }: Row, content: string, { input, words }: Call): string {
  switch (prints) {
    case "content":
      return content;
    case "decoded":
      return CLASSES.decoded + unknownParts(content);
    case "remote":
    case "secret":
    case "environment":
      return CLASSES[prints];
    case "own":
    case "nothing":
      return "";
    default:
      // A function prints itself.
      return prints === undefined && run !== undefined
        ? ""
        : UNKNOWN + unknownParts(input + content + words.join(""));
  }
}

function createCall(name: string, words: readonly string[], parsed: ParsedWords, line: LinePort): Call {
  const find = (names: string) => {
    const wanted = names.split(" ");
    return parsed.options.filter((option) => wanted.includes(option.name));
  };
  return {
    ...line,
    name,
    words,
    operands: parsed.operands,
    // What cannot be known may be any option.
    has: (names) => hasOption(parsed, `${names} ${UNKNOWN}`),
    value: (names) => find(names).findLast(({ value }) => value !== undefined)?.value,
    values: (names) => find(names).flatMap(({ value }) => (value === undefined ? [] : [value])),
    effectOn: (effect, ...targets) =>
      line.note(
        effect,
        targets.map((each) => nameTarget("name", each)),
      ),
    send: (content, host) =>
      line.note(sendName(content), host === undefined ? [] : [nameTarget("host", host)]),
  };
}

/** What is sent decides how it is called. */
export function sendName(content: string): EffectName {
  if (content.includes(CLASSES.secret)) return "send.secret";
  if (content.includes(CLASSES.environment)) return "send.environment";
  return content.includes(CLASSES.folder) ? "send.folder" : "send";
}
