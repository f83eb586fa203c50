import { didYouMean, messageOf, shortened } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, eventRow, type Finding, type HookFile } from "@tenterhook/protocol";
import {
  checkEffectMatcher,
  type FileMatcher,
  isPlainHookName,
  resolveEvent,
} from "@tenterhook/protocol/internal";
import { type Frontmatter, frontmatter } from "@tenterhook/protocol/schemas";
import { isMap, isNode, isScalar, isSeq, LineCounter, parseDocument } from "yaml";
import { type FrontmatterText, unparsable, unusable } from "./frontmatter-text.ts";
import { explainPattern, isPlainPattern } from "./matcher.ts";

/** A HOOK.md as it was read: the hook if it can be used, and the findings. */
export interface ParsedHookFile {
  readonly hook?: HookFile;
  readonly findings: readonly Finding[];
  /** Patterns that take long to compile were not checked. */
  readonly isQuick?: true;
}

const FIELDS = new Set(Object.keys(frontmatter.shape));

/** Variables that Tenterhook sets for every hook. */
const SET_FOR_EVERY_HOOK: readonly string[] = ["PATH", "HOME", "USER", "LOGNAME", "SHELL"];

/** The first line of a HOOK.md is a line of dashes. */
const FIRST_LINE = 2;

/** More findings about one file help no reader. */
const MAX_FINDINGS = 20;

/** As much of a message as is kept; the parser quotes what it does not understand. */
const LONGEST_MESSAGE = 300;

/**
 * Reads and checks frontmatter. It never throws: what is wrong becomes a finding with file, line and field. `isQuick` leaves out
 * what takes long: for a hook that was never trusted, while an event waits.
 */
export function parseHookFile(
  file: string,
  source: FrontmatterText | string,
  isQuick = false,
): ParsedHookFile {
  if (typeof source === "string")
    return { findings: [{ severity: "error", file, line: 1, message: source }] };
  const problem = unparsable(source.yaml);
  if (problem !== undefined)
    return { findings: [{ severity: "error", file, line: FIRST_LINE, message: problem }] };
  return new Parsing(file, source.yaml, isQuick).parse();
}

class Parsing {
  readonly #file: string;
  readonly #isQuick: boolean;
  readonly #lines = new LineCounter();
  readonly #document: ReturnType<typeof parseDocument>;
  readonly #findings: Finding[] = [];
  #omitted = 0;
  #hasOmittedError = false;

  constructor(file: string, yaml: string, isQuick: boolean) {
    this.#file = file;
    this.#isQuick = isQuick;
    this.#document = parseDocument(yaml, {
      lineCounter: this.#lines,
      prettyErrors: false,
      logLevel: "silent",
    });
  }

  parse(): ParsedHookFile {
    const hook = this.#readHook();
    if (this.#omitted > 0) {
      const severity = this.#hasOmittedError ? "error" : "warning";
      const message = `${this.#omitted} more findings are left out`;
      this.#findings.push({ severity, file: this.#file, message });
    }
    return {
      ...(hook !== undefined && !this.#failed && { hook }),
      findings: this.#findings,
      ...(this.#isQuick && { isQuick: true }),
    };
  }

  /** The hook; it counts only without an error. */
  #readHook(): HookFile | undefined {
    for (const error of this.#document.errors) {
      // People write regular expressions in double quotes: an escape YAML does not know keeps its backslash.
      if (error.code !== "BAD_DQ_ESCAPE") this.#report("error", this.#lineAt(error.pos[0]), error.message);
    }
    if (this.#failed) return undefined;
    if (!isMap(this.#document.contents)) {
      this.#report("error", FIRST_LINE, "the frontmatter must be a list of fields, such as name: my-hook");
      return undefined;
    }
    const raw = this.#values();
    if (raw === undefined) return undefined;
    for (const field of Object.keys(raw)) {
      if (!FIELDS.has(field))
        this.#report("warning", field, `there is no field "${field}"; put it under metadata`);
    }
    const checked = frontmatter.safeParse(raw);
    if (checked.success) return this.#check(checked.data);
    for (const { path, message } of checked.error.issues.flatMap((issue) => listIssues(issue, raw))) {
      const field = path.join(".");
      const missing = raw[String(path[0])] === undefined;
      this.#report("error", field, missing ? `${field} is missing` : `${field} ${message}`);
    }
    return undefined;
  }

  #values(): Record<string, unknown> | undefined {
    try {
      const values = this.#document.toJS({ maxAliasCount: 20 }) as Record<string, unknown>;
      const problem = unusable(values);
      if (problem === undefined) return values;
      this.#report("error", FIRST_LINE, problem);
    } catch (error) {
      this.#report("error", FIRST_LINE, `it cannot be read: ${(error as Error).message}`);
    }
    return undefined;
  }

  #check(read: Frontmatter): HookFile {
    if (!isPlainHookName(read.name))
      this.#report(
        "warning",
        "name",
        "name should have only lowercase letters (of any script), digits and hyphens",
      );
    if (read.description === undefined)
      this.#report("warning", "description", "description is missing; a model chooses by it");
    const events = this.#events(read.trigger);
    const matcher = this.#readMatcher(read, events);
    if (read.always && !read.async) this.#report("error", "always", "always is for hooks with async: true");
    this.#checkAction(read, events);
    for (const name of read.metadata.env ?? []) {
      if (SET_FOR_EVERY_HOOK.includes(name) || name.startsWith("TENTERHOOK_"))
        this.#report(
          "warning",
          "metadata.env",
          `metadata.env: every hook gets ${name} from Tenterhook, so it has no effect`,
        );
    }
    return {
      name: read.name,
      description: read.description ?? "",
      trigger: read.trigger,
      events,
      ...(matcher !== undefined && { matcher }),
      timeoutMs: read.timeout,
      mode: read.async ? "background" : "sync",
      priority: read.priority,
      onError: read.on_error,
      always: read.always,
      rejudge: read.rejudge,
      ...(!read.enforce && { enforce: false }),
      ...(read.action !== undefined &&
        read.reason !== undefined && { action: { type: read.action, reason: read.reason } }),
      metadata: read.metadata,
    };
  }

  #events(trigger: string): readonly EventName[] {
    const events = resolveEvent(trigger);
    if (events === undefined) {
      const hint = didYouMean(trigger, EVENT_NAMES, "See the events page of the docs.");
      this.#report("error", "trigger", `there is no event "${trigger}". ${hint}`);
      return [];
    }
    if (events.some((event) => eventRow(event).layer === "coordinator"))
      this.#report(
        "error",
        "trigger",
        `${trigger} belongs to the coordinator: put this hook into an agent's blueprint`,
      );
    return events;
  }

  #checkAction({ action, reason, async, trigger }: Frontmatter, events: readonly EventName[]): void {
    if (action === undefined) {
      if (reason !== undefined)
        this.#report("warning", "reason", "reason has no effect without action: block or ask");
      return;
    }
    if (reason === undefined)
      this.#report("error", "action", `action: ${action} needs a reason, which the model and the person see`);
    if (async)
      this.#report(
        "error",
        "async",
        `an async hook cannot ${action}, so action and async do not go together`,
      );
    if (action === "ask" && events.some((event) => !eventRow(event).outcomes.includes("ask")))
      this.#report("error", "action", `no person can be asked at ${trigger}; write action: block`);
  }

  /** The matcher as it is stored: a list of one is no list. */
  #readMatcher({ matcher, trigger }: Frontmatter, events: readonly EventName[]): HookFile["matcher"] {
    if (matcher === undefined) return undefined;
    if (events.some((event) => !eventRow(event).tool))
      this.#report("error", "matcher", `${trigger} has no tool, so a matcher cannot stand there`);
    if (!Array.isArray(matcher)) return this.#readOneMatcher(matcher, "matcher");
    const list = matcher.map((each, index) => this.#readOneMatcher(each, `matcher.${index}`));
    return list.length === 1 ? list[0] : list;
  }

  #readOneMatcher(written: WrittenMatcher, field: string): FileMatcher {
    this.#checkPatterns(written, field);
    this.#checkEffects(written, field);
    const { tool, pattern, effect, path, not_path: notPath, host, unknown, unreadable } = written;
    return {
      ...(tool !== undefined && { tool }),
      ...(pattern !== undefined && { pattern }),
      ...(effect !== undefined && { effect: [effect].flat() }),
      ...(path !== undefined && { path: [path].flat() }),
      ...(notPath !== undefined && { notPath: [notPath].flat() }),
      ...(host !== undefined && { host: [host].flat() }),
      ...(unknown !== undefined && { unknown }),
      ...(unreadable !== undefined && { unreadable }),
    };
  }

  /** Each field by itself, so that a finding has its line. */
  #checkEffects({ effect, path, not_path, host, unknown, unreadable }: WrittenMatcher, within: string): void {
    const others = { path, not_path, host, unknown, unreadable };
    if (effect === undefined) {
      for (const [key, value] of Object.entries(others))
        if (value !== undefined)
          this.#report(
            "error",
            `${within}.${key}`,
            `${within}.${key} needs effect: it is about an effect's targets`,
          );
      return;
    }
    const parts = { effect: { effect }, path: { path }, not_path: { notPath: not_path }, host: { host } };
    for (const [key, part] of Object.entries(parts)) {
      try {
        checkEffectMatcher({ effect: "read", ...part }, "not_path");
      } catch (error) {
        this.#report("error", `${within}.${key}`, messageOf(error));
      }
    }
  }

  #checkPatterns(patterns: Pick<WrittenMatcher, "tool" | "pattern">, within: string): void {
    for (const key of ["tool", "pattern"] as const) {
      const pattern = patterns[key];
      if (pattern === undefined) continue;
      const field = `${within}.${key}`;
      if (pattern.includes("\b"))
        this.#report(
          "warning",
          field,
          `${field} has a backspace: in double quotes "\\b" is one; write it in single quotes`,
        );
      const problem = this.#isQuick && !isPlainPattern(pattern) ? undefined : explainPattern(pattern);
      if (problem !== undefined) this.#report(problem.severity, field, `${field}: ${problem.message}`);
    }
  }

  /** Reports what is wrong in a line or in a field. */
  #report(severity: Finding["severity"], where: number | string, message: string): void {
    if (this.#findings.length >= MAX_FINDINGS) {
      this.#omitted++;
      this.#hasOmittedError ||= severity === "error";
      return;
    }
    this.#findings.push({
      severity,
      file: this.#file,
      line: typeof where === "number" ? where : this.#lineOf(where.split(".")),
      ...(typeof where === "string" && { field: where.slice(0, LONGEST_MESSAGE) }),
      message: shortened(message, LONGEST_MESSAGE),
    });
  }

  /** The line of a field's key, or of an entry of a list; of the nearest field around it when it is missing. */
  #lineOf(path: readonly string[]): number {
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const key of path) {
      if (isSeq(node)) {
        node = node.items[Number(key)];
        if (isNode(node)) offset = node.range?.[0] ?? offset;
        continue;
      }
      const pair = isMap(node)
        ? node.items.find(({ key: name }) => isScalar(name) && String(name.value) === key)
        : undefined;
      if (pair === undefined || !isScalar(pair.key)) break;
      offset = pair.key.range?.[0] ?? offset;
      node = pair.value;
    }
    return this.#lineAt(offset);
  }

  #lineAt(offset: number): number {
    return this.#lines.linePos(offset).line - 1 + FIRST_LINE;
  }

  get #failed(): boolean {
    return this.#hasOmittedError || this.#findings.some(({ severity }) => severity === "error");
  }
}

type WrittenMatcher = Exclude<Frontmatter["matcher"], readonly unknown[] | undefined>;

interface Issue {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Of a value that may be one thing or a list of them, the issues of the form that was written. */
function listIssues(issue: Issue, value: unknown): readonly Issue[] {
  const { path, errors } = issue as Issue & { readonly errors?: readonly (readonly Issue[])[] };
  if (errors === undefined) return [issue];
  const written = valueAt(value, path);
  const inner = errors[Array.isArray(written) ? 1 : 0] ?? [];
  // A value that is in neither form has the message of both.
  const isNeither = inner.some((each) => each.path.length === 0) && !Array.isArray(written);
  if (isNeither && typeof issue.message === "string" && issue.message !== "Invalid input") return [issue];
  return inner.flatMap((each) =>
    listIssues(each, written).map(({ path: rest, message }) => ({ path: [...path, ...rest], message })),
  );
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Readonly<Record<PropertyKey, unknown>>)?.[key], value);
}
