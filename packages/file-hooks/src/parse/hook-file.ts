import { didYouMean, shortened } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, eventRow, type Finding, type HookFile } from "@tenterhook/protocol";
import { isPlainHookName, resolveEvent } from "@tenterhook/protocol/internal";
import { type Frontmatter, frontmatter } from "@tenterhook/protocol/schemas";
import { isMap, isScalar, LineCounter, parseDocument } from "yaml";
import { unparsable, unusable } from "./bounds.ts";
import type { FrontmatterText } from "./frontmatter-text.ts";
import { explainPattern, isPlainPattern } from "./pattern.ts";

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
    for (const error of this.#document.errors) {
      // People write regular expressions in double quotes: an escape YAML does not know keeps its backslash.
      if (error.code === "BAD_DQ_ESCAPE") continue;
      this.#report("error", error.message, { line: this.#lineAt(error.pos[0]) });
    }
    if (this.#failed) return this.#result();
    if (!isMap(this.#document.contents)) {
      this.#report("error", "the frontmatter must be a list of fields, such as name: my-hook", {
        line: FIRST_LINE,
      });
      return this.#result();
    }
    const raw = this.#values();
    if (raw === undefined) return this.#result();
    this.#reportUnknown(raw);
    const checked = frontmatter.safeParse(raw);
    if (!checked.success) {
      for (const { path, message } of checked.error.issues) {
        const field = path.join(".");
        const missing = raw[String(path[0])] === undefined;
        this.#report("error", missing ? `${field} is missing` : `${field} ${message}`, { field });
      }
      return this.#result();
    }
    const hook = this.#check(checked.data);
    return this.#failed ? this.#result() : this.#result(hook);
  }

  #values(): Record<string, unknown> | undefined {
    const line = FIRST_LINE;
    try {
      const values = this.#document.toJS({ maxAliasCount: 20 }) as Record<string, unknown>;
      const problem = unusable(values);
      if (problem === undefined) return values;
      this.#report("error", problem, { line });
    } catch (error) {
      this.#report("error", `it cannot be read: ${(error as Error).message}`, { line });
    }
    return undefined;
  }

  #check(read: Frontmatter): HookFile {
    if (!isPlainHookName(read.name)) {
      this.#report("warning", "name should have only lowercase letters (of any script), digits and hyphens", {
        field: "name",
      });
    }
    if (read.description === undefined) {
      this.#report("warning", "description is missing; a model chooses by it", { field: "description" });
    }
    const events = this.#events(read.trigger);
    this.#checkMatcher(read, events);
    if (read.always && !read.async)
      this.#report("error", "always is for hooks with async: true", { field: "always" });
    if (read.action !== undefined && read.reason === undefined) {
      this.#report("error", "action: block needs a reason, which the model and the person see", {
        field: "action",
      });
    }
    if (read.action !== undefined && read.async) {
      this.#report("error", "an async hook cannot block, so action and async do not go together", {
        field: "async",
      });
    }
    if (read.action === undefined && read.reason !== undefined) {
      this.#report("warning", "reason has no effect without action: block", { field: "reason" });
    }
    for (const name of read.metadata.env ?? []) {
      if (SET_FOR_EVERY_HOOK.includes(name) || name.startsWith("TENTERHOOK_"))
        this.#report(
          "warning",
          `metadata.env: every hook gets ${name} from Tenterhook, so it has no effect`,
          {
            field: "metadata.env",
          },
        );
    }
    const { matcher } = read;
    return {
      name: read.name,
      description: read.description ?? "",
      trigger: read.trigger,
      events,
      ...(matcher !== undefined && {
        matcher: {
          ...(matcher.tool !== undefined && { tool: matcher.tool }),
          ...(matcher.pattern !== undefined && { pattern: matcher.pattern }),
        },
      }),
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
      this.#report("error", `there is no event "${trigger}". ${hint}`, { field: "trigger" });
      return [];
    }
    if (events.some((event) => eventRow(event).layer === "coordinator")) {
      this.#report(
        "error",
        `${trigger} belongs to the coordinator: put this hook into an agent's blueprint`,
        {
          field: "trigger",
        },
      );
    }
    return events;
  }

  #checkMatcher({ matcher, trigger }: Frontmatter, events: readonly EventName[]): void {
    if (matcher === undefined) return;
    if (events.some((event) => !eventRow(event).tool)) {
      this.#report("error", `${trigger} has no tool, so a matcher cannot stand there`, { field: "matcher" });
    }
    for (const key of ["tool", "pattern"] as const) {
      const pattern = matcher[key];
      if (pattern === undefined) continue;
      const field = `matcher.${key}`;
      if (pattern.includes("\b")) {
        this.#report(
          "warning",
          `${field} has a backspace: in double quotes "\\b" is one; write it in single quotes`,
          { field },
        );
      }
      const problem = this.#isQuick && !isPlainPattern(pattern) ? undefined : explainPattern(pattern);
      if (problem !== undefined) this.#report(problem.severity, `${field}: ${problem.message}`, { field });
    }
  }

  #reportUnknown(raw: Record<string, unknown>): void {
    for (const field of Object.keys(raw)) {
      if (!FIELDS.has(field))
        this.#report("warning", `there is no field "${field}"; put it under metadata`, { field });
    }
  }

  #report(
    severity: Finding["severity"],
    message: string,
    where: { readonly line?: number; readonly field?: string },
  ): void {
    if (this.#findings.length >= MAX_FINDINGS) {
      this.#omitted++;
      this.#hasOmittedError ||= severity === "error";
      return;
    }
    const line = where.line ?? (where.field === undefined ? undefined : this.#lineOf(where.field.split(".")));
    this.#findings.push({
      severity,
      file: this.#file,
      ...(line !== undefined && { line }),
      ...(where.field !== undefined && { field: where.field.slice(0, LONGEST_MESSAGE) }),
      message: shortened(message, LONGEST_MESSAGE),
    });
  }

  /** The line of a field's key; of the nearest field around it when it is missing. */
  #lineOf(path: readonly string[]): number {
    let node: unknown = this.#document.contents;
    let offset = 0;
    for (const key of path) {
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

  #result(hook?: HookFile): ParsedHookFile {
    if (this.#omitted > 0) {
      const severity = this.#hasOmittedError ? "error" : "warning";
      const message = `${this.#omitted} more findings are left out`;
      this.#findings.push({ severity, file: this.#file, message });
    }
    return {
      ...(hook !== undefined && { hook }),
      findings: this.#findings,
      ...(this.#isQuick && { isQuick: true }),
    };
  }
}
