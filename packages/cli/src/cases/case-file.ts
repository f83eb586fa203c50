import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord, messageOf, nearestWord, ownField, withoutBom } from "@tenterhook/internal";
import type { Finding } from "@tenterhook/protocol";
import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from "yaml";

/** The outcome of a hook, with the names of its own output; `failed` when it gave no valid answer. */
const CASE_OUTCOMES = ["allow", "deny", "ask", "stop", "failed"] as const;

export type CaseOutcome = (typeof CASE_OUTCOMES)[number];

export interface Expectation {
  readonly outcome: CaseOutcome;
  /** Contained in the reason. */
  readonly reason: string | undefined;
  /** The complete final tool input. */
  readonly toolInput: unknown;
  /** Contained in the additional context. */
  readonly additionalContext: string | undefined;
}

/** One test of a hook: an event and the expected result. */
export interface HookCase {
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** In wire form. */
  readonly event: Readonly<Record<string, unknown>>;
  readonly expect: Expectation;
}

/** The cases of a hook, and the findings about their files. */
export interface ReadCases {
  readonly cases: readonly HookCase[];
  readonly findings: readonly Finding[];
}

/** Reads the cases in a hook's `tests/*.yaml`. It never throws: problems become findings with file and line. */
export function readCases(folder: string): ReadCases {
  const read = caseFiles(join(folder, "tests")).map(readCaseFile);
  return { cases: read.flatMap(({ cases }) => cases), findings: read.flatMap(({ findings }) => findings) };
}

function caseFiles(tests: string): readonly string[] {
  try {
    return readdirSync(tests)
      .filter((name) => /\.ya?ml$/.test(name))
      .sort()
      .map((name) => join(tests, name));
  } catch {
    return [];
  }
}

function readCaseFile(file: string): ReadCases {
  try {
    return new CaseFile(file, withoutBom(readFileSync(file, "utf8"))).read();
  } catch (error) {
    return {
      cases: [],
      findings: [{ severity: "error", file, message: `cannot be read: ${messageOf(error)}` }],
    };
  }
}

const CASE_FIELDS = ["name", "event", "expect"];
const EXPECT_FIELDS = ["outcome", "reason", "tool_input", "additional_context"];
/** The engine's names of outcomes that have other names in a hook's output. */
const ALIASES: Readonly<Record<string, CaseOutcome>> = {
  proceed: "allow",
  approve: "allow",
  block: "deny",
};

class CaseFile {
  readonly #file: string;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #findings: Finding[] = [];

  constructor(file: string, text: string) {
    this.#file = file;
    this.#document = parseDocument(text, {
      lineCounter: this.#lines,
      prettyErrors: false,
      logLevel: "silent",
    });
  }

  read(): ReadCases {
    for (const { message, pos } of this.#document.errors) this.#report(message, this.#lineAt(pos[0]));
    if (this.#findings.length > 0) return { cases: [], findings: this.#findings };
    const { contents } = this.#document;
    const items = isSeq(contents) ? contents.items : [contents];
    const cases = items.flatMap((item, index) => this.#readCase(item, index) ?? []);
    return { cases, findings: this.#findings };
  }

  #readCase(item: unknown, index: number): HookCase | undefined {
    if (!isMap(item)) {
      this.#report("a case must have an event and expect: { outcome: … }", this.#lineOf(item));
      return undefined;
    }
    const before = this.#findings.length;
    this.#reportUnknown(item, CASE_FIELDS, "a case");
    const values = item.toJS(this.#document, { maxAliasCount: 20 }) as Record<string, unknown>;
    const name = this.#readText(item, "name", values) ?? commandOf(values) ?? `case ${index + 1}`;
    const { event = {} } = values;
    if (!isRecord(event))
      this.#report("event must have fields, such as tool_name", this.#lineOf(item, "event"));
    const expect = this.#readExpect(item);
    if (expect === undefined || this.#findings.length > before) return undefined;
    // It was checked just above.
    return { name, file: this.#file, line: this.#lineOf(item), event: event as HookCase["event"], expect };
  }

  #readExpect(item: YAMLMap): Expectation | undefined {
    const node: unknown = item.get("expect", true);
    if (!isMap(node)) {
      this.#report("expect is missing; write expect: { outcome: deny }", this.#lineOf(item, "expect"));
      return undefined;
    }
    this.#reportUnknown(node, EXPECT_FIELDS, "expect");
    const values = node.toJS(this.#document) as Record<string, unknown>;
    const { outcome, tool_input: toolInput } = values;
    if (!isOutcome(outcome)) this.#reportOutcome(outcome, this.#lineOf(node, "outcome"));
    const reason = this.#readText(node, "reason", values);
    const additionalContext = this.#readText(node, "additional_context", values);
    return isOutcome(outcome) ? { outcome, reason, toolInput, additionalContext } : undefined;
  }

  #readText(node: YAMLMap, field: string, values: Readonly<Record<string, unknown>>): string | undefined {
    const value = values[field];
    if (value === undefined || typeof value === "string") return value;
    this.#report(`${field} must be text`, this.#lineOf(node, field));
    return undefined;
  }

  #reportOutcome(outcome: unknown, line: number): void {
    const known = `known: ${CASE_OUTCOMES.join(", ")}`;
    const isText = typeof outcome === "string";
    const likely = isText ? (ownField(ALIASES, outcome) ?? nearestWord(outcome, CASE_OUTCOMES)) : undefined;
    const problem = isText ? `unknown outcome "${outcome}"` : "outcome is missing, or not a string";
    this.#report(`${problem}; ${likely === undefined ? known : `did you mean ${likely}?`}`, line);
  }

  #reportUnknown(map: YAMLMap, known: readonly string[], where: string): void {
    for (const { key } of map.items) {
      const name = isScalar(key) ? String(key.value) : "";
      if (!known.includes(name))
        this.#report(`${where} has no field "${name}"; it has ${known.join(", ")}`, this.#lineOf(key));
    }
  }

  #report(message: string, line: number): void {
    this.#findings.push({ severity: "error", file: this.#file, line, message });
  }

  /** The line of a node, or of one of its fields if it has that field. */
  #lineOf(node: unknown, field?: string): number {
    if (isMap(node) && field !== undefined) {
      const pair = node.items.find(({ key }) => isScalar(key) && key.value === field);
      if (pair !== undefined) return this.#lineOf(pair.key);
    }
    const range = (node as { range?: readonly number[] | null } | null)?.range;
    return this.#lineAt(range?.[0] ?? 0);
  }

  #lineAt(offset: number): number {
    return this.#lines.linePos(offset).line || 1;
  }
}

/** A case without a name is called what its command is. */
function commandOf({ event }: Readonly<Record<string, unknown>>): string | undefined {
  const input = isRecord(event) ? event.tool_input : undefined;
  return isRecord(input) && typeof input.command === "string" ? input.command : undefined;
}

function isOutcome(value: unknown): value is CaseOutcome {
  return (CASE_OUTCOMES as readonly unknown[]).includes(value);
}
