import {
  type ArithmeticExpression,
  forEachChild,
  type ParameterExpansionPart,
  type ParsedScript,
  parse,
  type SyntaxNode,
  type Word,
  type WordPart,
} from "unbash";
import {
  BRACKET,
  ELEMENT,
  isKnown,
  QUESTION,
  STAR,
  UNKNOWN,
  unknownParts,
  withoutMarkers,
} from "../values.ts";
import { BOUNDS, BoundReached, bounded, type Process, step } from "./state.ts";

/** How a substitution is run. It returns what it prints, or for `<(…)` a path. */
export interface Substitute {
  output(script: ParsedScript | undefined, text: string): string;
  path(script: ParsedScript | undefined, operator: "<" | ">"): string;
}

/** The words that the shell makes of one. */
export function expandWord(word: Word, process: Process, substitute: Substitute): readonly string[] {
  if (word.parts === undefined) return [tilde(word, bounded(word.value), process)];
  if (word.parts.some(({ type }) => type === "BraceExpansion"))
    return expandBraces(word, process).flatMap((each) => expandWord(each, process, substitute));
  const fields = new Fields(process);
  for (const [index, part] of word.parts.entries()) {
    if (index === 0 && part.type === "Literal") fields.add(tilde(word, part.value, process));
    else expandPart(part, fields, process, substitute);
  }
  return fields.end();
}

/** One value: in assignments, patterns and texts nothing is split. */
export function expandValue(word: Word, process: Process, substitute: Substitute): string {
  if (word.parts === undefined) return tilde(word, bounded(word.value), process);
  const fields = new Fields(process, true);
  for (const [index, part] of word.parts.entries()) {
    if (index === 0 && part.type === "Literal") fields.add(tilde(word, part.value, process));
    else expandPart(part, fields, process, substitute);
  }
  return fields.end().join(" ");
}

/** The text of a here-document. */
export function expandParts(parts: readonly WordPart[], process: Process, substitute: Substitute): string {
  const fields = new Fields(process, true);
  for (const part of parts) expandPart(part, fields, process, substitute, true);
  return fields.end().join("");
}

/** Words on their way: what is not quoted is split. */
class Fields {
  readonly #fields: string[] = [];
  readonly #separators: RegExp | undefined;
  #current: string | undefined;

  constructor(process: Process, isWhole = false) {
    this.#separators = isWhole ? undefined : separators(process);
  }

  add(text: string): void {
    this.#current = bounded((this.#current ?? "") + text);
  }

  /** What an expansion gives. */
  addExpanded(value: string, isQuoted: boolean): void {
    if (isQuoted || this.#separators === undefined) {
      this.add(value);
      return;
    }
    const active = activated(value);
    const pieces = active.split(this.#separators);
    for (const [index, piece] of pieces.entries()) {
      if (index > 0) this.#close();
      if (piece !== "") this.add(piece);
    }
  }

  /** `"$@"`: each on its own. */
  addAll(values: readonly string[], isQuoted: boolean): void {
    for (const [index, value] of values.entries()) {
      if (index > 0) this.#close();
      if (isQuoted) this.add(value);
      else this.addExpanded(value, false);
    }
  }

  end(): readonly string[] {
    this.#close();
    return this.#fields;
  }

  #close(): void {
    if (this.#current !== undefined) this.#fields.push(this.#current);
    this.#current = undefined;
  }
}

/** Characters in a value that the shell fills in when it is not quoted. */
function activated(value: string): string {
  return value.replaceAll("*", STAR).replaceAll("?", QUESTION).replaceAll("[", BRACKET);
}

function separators({ variables }: Process): RegExp {
  const ifs = variables.get("IFS");
  if (ifs === undefined || ifs === " \t\n") return /[ \t\n]+/;
  return ifs === "" || !isKnown(ifs) ? /(?!)/ : new RegExp(`[${ifs.replace(/[\]\\^-]/g, "\\$&")}]+`);
}

function tilde({ text }: Word, value: string, process: Process): string {
  if (!text.startsWith("~")) return value;
  const [, user = "", rest = ""] = /^~([^/]*)(.*)$/s.exec(value) ?? [];
  if (user === "") return (variable(process, "HOME") ?? UNKNOWN) + rest;
  if (user === "+") return process.folder + rest;
  if (!/^[A-Za-z_][\w.-]*$/.test(user)) return UNKNOWN + rest;
  return (user === "root" ? "/root" : `/home/${user}`) + rest;
}

function expandPart(
  part: WordPart,
  fields: Fields,
  process: Process,
  substitute: Substitute,
  isQuoted = false,
): void {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      fields.add(part.value);
      break;
    case "DoubleQuoted":
    case "LocaleString":
      if (part.parts.every(({ text }) => !/^\$\{?[@\w]/.test(text))) fields.add("");
      else if (!part.parts.every(({ text }) => /^(?:\$@|\$\{@\}|\$\{\w+\[@\]\})$/.test(text))) fields.add("");
      for (const child of part.parts) expandPart(child, fields, process, substitute, true);
      break;
    case "SimpleExpansion":
      expandParameter(part.text.slice(1), fields, process, isQuoted);
      break;
    case "ParameterExpansion":
      expandOperation(part, fields, process, substitute, isQuoted);
      break;
    case "CommandExpansion":
      step(process);
      fields.addExpanded(substitute.output(part.script, part.text).replace(/\n+$/, ""), isQuoted);
      break;
    case "ArithmeticExpansion":
      if (part.expression !== undefined) substituteInside(part.expression, process, substitute);
      fields.add(arithmetic(part.text));
      break;
    case "ProcessSubstitution":
      step(process);
      fields.add(substitute.path(part.script, part.operator));
      break;
    case "Glob":
      fields.add(
        part.kind === "star" ? STAR : part.kind === "question" ? QUESTION : `${BRACKET}${part.text.slice(1)}`,
      );
      break;
    case "ExtendedGlob":
      fields.add(STAR);
      break;
    case "BraceExpansion":
      fields.add(UNKNOWN);
      break;
  }
}

function arithmetic(text: string): string {
  const [, number] = /^\$\(\(\s*(\d{1,15})\s*\)\)$/.exec(text) ?? [];
  return number ?? UNKNOWN;
}

/** Runs what an expression, or an operation that gives an unknown value, substitutes. */
function substituteInside(
  node: ArithmeticExpression | SyntaxNode,
  process: Process,
  substitute: Substitute,
): void {
  forEachChild(node, (child) => {
    if (child.type === "CommandExpansion" || child.type === "ArithmeticCommandExpansion") {
      step(process);
      substitute.output(child.script, child.text);
    } else substituteInside(child, process, substitute);
  });
}

/** A variable as the line knows it; `undefined` if it does not. */
export function variable(process: Process, name: string): string | undefined {
  const own = process.variables.get(name);
  if (own !== undefined) return own.split(ELEMENT, 1)[0];
  if (name === "PWD") return process.folder;
  if (name === "HOME" && process.reading.home !== undefined) return process.reading.home;
  if (name === "IFS") return " \t\n";
  const outer = process.reading.env[name];
  if (outer !== undefined) return withoutMarkers(outer);
  if (name === "TMPDIR") return "/tmp";
  return name === "SHELL" || name === "BASH" ? "/bin/bash" : undefined;
}

function expandParameter(name: string, fields: Fields, process: Process, isQuoted: boolean): void {
  if (name === "@" || (name === "*" && !isQuoted)) fields.addAll(process.parameters.slice(1), isQuoted);
  else fields.addExpanded(parameter(process, name), isQuoted);
}

function parameter(process: Process, name: string): string {
  step(process);
  if (/^\d+$/.test(name))
    return process.parameters[Number(name)] ?? (process.parameters.length > 1 ? "" : UNKNOWN);
  if (name === "*" || name === "@") return process.parameters.slice(1).join(" ");
  return variable(process, name) ?? UNKNOWN;
}

function expandOperation(
  part: ParameterExpansionPart,
  fields: Fields,
  process: Process,
  substitute: Substitute,
  isQuoted: boolean,
): void {
  const { parameter: name, prefix, index, operation } = part;
  step(process);
  if (index !== undefined && prefix === undefined && operation === undefined) {
    const all = process.variables.get(name)?.split(ELEMENT);
    const at = expandValue(index, process, substitute);
    if (all === undefined)
      fields.addExpanded(/^[@*0]$/.test(at) ? parameter(process, name) : UNKNOWN, isQuoted);
    else if (at === "@" || at === "*" || at === STAR) fields.addAll(all, isQuoted);
    else
      fields.addExpanded(
        /^\d+$/.test(at) ? (all[Number(at)] ?? "") : UNKNOWN + unknownParts(all.join("")),
        isQuoted,
      );
    return;
  }
  const isOfArray = index !== undefined || process.variables.get(name)?.includes(ELEMENT) === true;
  if (prefix === "#") fields.add(UNKNOWN);
  else if (isOfArray && operation !== undefined)
    fields.add(UNKNOWN + unknownParts(process.variables.get(name) ?? ""));
  else if (prefix === "!") {
    const named = variable(process, name) ?? UNKNOWN;
    if (/^\w+$/.test(named) && operation === undefined && index === undefined)
      fields.addExpanded(parameter(process, named), isQuoted);
    else fields.add(UNKNOWN);
  } else if (operation === undefined) expandParameter(name, fields, process, isQuoted);
  else fields.addExpanded(operated(part, process, substitute), isQuoted);
}

/** What an operation makes of a variable. */
function operated(
  { parameter: name, operation }: ParameterExpansionPart,
  process: Process,
  substitute: Substitute,
): string {
  const isSpecial = /^[@*\d]+$/.test(name);
  const value = isSpecial ? parameter(process, name) : variable(process, name);
  switch (operation?.type) {
    case "Default": {
      const { operator, operand } = operation;
      const other = () => expandValue(operand, process, substitute);
      if (operator === "+" || operator === ":+") return value === "" && operator === ":+" ? "" : other();
      if (value !== undefined && !(value === "" && operator.startsWith(":"))) return value;
      if (operator.endsWith("?")) return UNKNOWN;
      const given = other();
      if (operator.endsWith("=")) process.variables.set(name, given);
      return given;
    }
    case "Remove": {
      const pattern = patternExpression(
        expandValue(operation.operand, process, substitute),
        operation.operator.length === 1,
      );
      if (value === undefined || pattern === undefined || !isPlain(value))
        return UNKNOWN + unknownParts(value ?? "");
      if (operation.operator.startsWith("#")) return value.replace(new RegExp(`^(?:${pattern})`, "s"), "");
      // From its end: the shortest one is the last place where the pattern fits.
      const fits = new RegExp(`^(?:${pattern})$`, "s");
      const places = Array.from({ length: value.length + 1 }, (_, at) => at);
      if (operation.operator === "%") places.reverse();
      const at = places.find((place) => fits.test(value.slice(place)));
      return at === undefined ? value : value.slice(0, at);
    }
    case "Replace": {
      const pattern = patternExpression(expandValue(operation.pattern, process, substitute), false);
      const replacement = expandValue(operation.replacement, process, substitute);
      if (value === undefined || pattern === undefined || !isPlain(value))
        return UNKNOWN + unknownParts(value ?? "");
      const { operator } = operation;
      const source = operator === "/#" ? `^(?:${pattern})` : operator === "/%" ? `(?:${pattern})$` : pattern;
      return bounded(value.replace(new RegExp(source, operator === "//" ? "gs" : "s"), () => replacement));
    }
    case "Slice": {
      const offset = expandValue(operation.offset, process, substitute).trim();
      const length =
        operation.length === undefined
          ? undefined
          : expandValue(operation.length, process, substitute).trim();
      if (
        value === undefined ||
        isSpecial ||
        !isKnown(value) ||
        !/^-?\d+$/.test(offset) ||
        !/^\d*$/.test(length ?? "")
      )
        return UNKNOWN + unknownParts(value ?? "");
      const from = value.slice(Number(offset));
      return length === undefined ? from : from.slice(0, Number(length));
    }
    case "CaseModification": {
      if (value === undefined || operation.operand !== undefined) return UNKNOWN + unknownParts(value ?? "");
      const change = operation.operator.startsWith("^") ? toUpper : toLower;
      return operation.operator.length === 2 ? change(value) : change(value.slice(0, 1)) + value.slice(1);
    }
    default:
      if (operation !== undefined)
        substituteInside({ ...operation } as unknown as SyntaxNode, process, substitute);
      return UNKNOWN + unknownParts(value ?? "");
  }
}

function toUpper(text: string): string {
  return text.toUpperCase();
}

function toLower(text: string): string {
  return text.toLowerCase();
}

/** Longer values, and patterns with more than one star, would take long. */
function isPlain(value: string): boolean {
  return isKnown(value) && value.length <= 500;
}

/** A pattern of the shell as an expression, if it is simple enough to be matched soon. */
function patternExpression(pattern: string, isShort: boolean): string | undefined {
  if (
    !isKnown(pattern) ||
    pattern.length > 100 ||
    pattern.split(STAR).length > 2 ||
    pattern.includes(BRACKET)
  )
    return undefined;
  const many = isShort ? ".*?" : ".*";
  return [...pattern]
    .map((each) =>
      each === STAR ? many : each === QUESTION ? "." : each.replace(/[.*+?^${}()|[\]\\]/, "\\$&"),
    )
    .join("");
}

/** The words that braces stand for, each parsed anew: an alternative may have quotes and expansions. */
function expandBraces({ text }: Word, process: Process): readonly Word[] {
  const words: Word[] = [];
  const texts = alternatives(text);
  for (const each of texts) {
    step(process);
    const command = parse(`: ${each}`).commands[0]?.command;
    if (command?.type !== "Command") continue;
    for (const argument of command.args) if (argument.type === "Word") words.push(toPlainBraces(argument));
  }
  return words;
}

/** The parser's words have getters, so a copy is written out. */
function toPlainBraces({ text, value, pos, end, parts }: Word): Word {
  return { type: "Word", text, value, pos, end, parts: parts?.map(withoutBraces) };
}

/** What is left of braces is plain text, such as `{a}`. */
function withoutBraces(part: WordPart): WordPart {
  return part.type === "BraceExpansion"
    ? { type: "Literal", value: part.text, text: part.text, pos: part.pos, end: part.end }
    : part;
}

function alternatives(text: string): readonly string[] {
  let open = [text];
  const done: string[] = [];
  for (let rounds = 0; open.length > 0; rounds++) {
    if (open.length + done.length > BOUNDS.braces || rounds > 100)
      throw new BoundReached("it has too many braces");
    const next: string[] = [];
    for (const each of open) {
      const found = findBraces(each);
      if (found === undefined) done.push(each);
      else for (const item of found.items) next.push(found.before + item + found.after);
    }
    open = next;
  }
  return done;
}

/** The first braces outside of quotes and expansions that stand for several texts. */
function findBraces(text: string): { before: string; items: readonly string[]; after: string } | undefined {
  for (let at = 0; at < text.length; at = skipQuoted(text, at)) {
    if (text[at] !== "{") continue;
    const commas: number[] = [];
    let depth = 0;
    for (let end = at; end < text.length; end = skipQuoted(text, end)) {
      if (text[end] === "{") depth++;
      else if (text[end] === "," && depth === 1) commas.push(end);
      else if (text[end] === "}" && --depth === 0) {
        const items = itemsOf(text, at, end, commas);
        if (items === undefined) break;
        return { before: text.slice(0, at), items, after: text.slice(end + 1) };
      }
    }
  }
  return undefined;
}

function itemsOf(
  text: string,
  at: number,
  end: number,
  commas: readonly number[],
): readonly string[] | undefined {
  if (commas.length > 0)
    return [...commas, end].map((comma, index) => text.slice((commas[index - 1] ?? at) + 1, comma));
  const [, from, to] =
    /^(-?\d{1,9}|[A-Za-z])\.\.(-?\d{1,9}|[A-Za-z])(?:\.\.-?\d+)?$/.exec(text.slice(at + 1, end)) ?? [];
  if (from === undefined || to === undefined) return undefined;
  const isNumber = /\d/.test(from);
  const [first, last] = isNumber ? [Number(from), Number(to)] : [from.charCodeAt(0), to.charCodeAt(0)];
  const count = Math.abs(last - first) + 1;
  if (count > BOUNDS.braces) return [UNKNOWN];
  const items = Array.from({ length: count }, (_, index) => (last < first ? first - index : first + index));
  return items.map((item) => (isNumber ? String(item) : String.fromCharCode(item)));
}

/** Behind a character, with what is quoted or substituted there. */
function skipQuoted(text: string, at: number): number {
  const letter = text[at];
  if (letter === "\\") return at + 2;
  if (letter === "'" || letter === '"' || letter === "`") {
    let end = at + 1;
    while (end < text.length && text[end] !== letter) end += text[end] === "\\" && letter !== "'" ? 2 : 1;
    return end + 1;
  }
  if (letter === "$" && (text[at + 1] === "{" || text[at + 1] === "(")) {
    const [open, close] = text[at + 1] === "{" ? ["{", "}"] : ["(", ")"];
    let depth = 0;
    for (let end = at + 1; end < text.length; end++) {
      if (text[end] === open) depth++;
      else if (text[end] === close && --depth === 0) return end + 1;
    }
    return text.length;
  }
  return at + 1;
}
