import type { Agent, AgentEvent, HookAct, RunResult } from "@tenterhook/agent";
import { ACTIONS, type ToolUse } from "@tenterhook/protocol";
import { whoAnswers } from "./model.ts";
import { bold, cyan, dim, Page, red, yellow } from "./page.ts";

/** Runs the agent on a message and prints its progress. Ctrl-C ends the run, not the program. */
export async function runWithProgress(title: string, agent: Agent, message: string): Promise<RunResult> {
  const page = new Page();
  page.title(title);
  page.blank();
  page.line(0, "model", whoAnswers);
  page.line(0, "user", message);
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  const stream = agent.stream(message, { signal: controller.signal });
  const printer = new ProgressPrinter(page);
  for await (const event of stream) printer.print(event);
  process.removeListener("SIGINT", interrupt);
  const run = await stream.finished;
  if (run.status === "failed") process.exitCode = 1;
  return run;
}

/** Prints a summary after a run. */
export function printSummary(title: string, lines: readonly string[]): void {
  const page = new Page();
  page.blank();
  page.title(title);
  for (const line of lines) page.line(0, "", line);
}

/** Prints the events of a run as lines. */
class ProgressPrinter {
  readonly #page: Page;
  readonly #depth: number;
  /** Requested calls that have not been judged yet, in order. */
  #wanted: readonly ToolUse[] = [];
  /** The calls of this step that have been printed. */
  readonly #shown = new Map<string, string>();
  readonly #subagents = new Map<string, ProgressPrinter>();
  /** The reasons of hooks in this step. */
  #reasons: string[] = [];

  constructor(page: Page, depth = 0) {
    this.#page = page;
    this.#depth = depth;
  }

  print(event: AgentEvent): void {
    switch (event.type) {
      case "step_start":
        this.#reasons = [];
        if (this.#depth === 0) this.#page.blank();
        this.#line(`step ${event.step}`, "");
        break;
      case "answer_buffered":
        this.#line("", `(${event.reason})`, dim);
        break;
      case "text_delta":
        this.#page.piece(this.#depth, "agent", event.text);
        break;
      case "answer_discarded":
        this.#line("", `(discarded: ${event.reason})`, dim);
        break;
      case "answer":
        this.#wanted = event.toolUses;
        break;
      case "hook_acted":
        this.#printAct(event.act);
        break;
      case "tool_start":
        this.#printStart(event);
        break;
      case "subagent":
        this.#subagent(event.toolUseId).print(event.event);
        break;
      case "tool_end":
        this.#printEnd(event);
        break;
      case "retry":
        this.#line("retry", event.error, red);
        break;
      case "run_end":
        if (this.#depth === 0) this.#printRunEnd(event.run);
    }
  }

  #line(label: string, text: string, style?: (text: string) => string): void {
    this.#page.line(this.#depth, label, text, style);
  }

  #printAct({ event, hook = "the host", action, reason, changed, failed }: HookAct): void {
    // Calls are judged one after another, so this concerns the first that is still open.
    if (event === "before_tool") this.#show(this.#wanted[0]);
    const did = failed
      ? "failed"
      : action === "go_on"
        ? `changed ${changed?.join(", ")}`
        : ACTIONS[action].did("it");
    if (reason !== undefined) this.#reasons.push(reason);
    this.#line("hook", `${hook} on ${event} ${did}${reason === undefined ? "" : `: ${reason}`}`, yellow);
  }

  #printStart({
    toolUseId: id,
    toolName: name,
    toolInput: input,
  }: AgentEvent & { type: "tool_start" }): void {
    this.#settle(id);
    const runs = callText(name, input);
    if (this.#shown.get(id) !== runs) this.#line("runs", runs, cyan);
  }

  #printEnd({ toolUseId, status, result, reason }: AgentEvent & { type: "tool_end" }): void {
    this.#settle(toolUseId);
    // The answer of a subagent and the reason of a hook have been printed already.
    if (this.#subagents.has(toolUseId) && status !== "failed") return;
    if (reason === undefined) this.#line("result", resultText(result), dim);
    else if (!this.#reasons.some((shown) => reason.includes(shown)))
      this.#line(status === "blocked" ? "denied" : status, reason, red);
  }

  #printRunEnd({ status, stepCount, reason }: RunResult<unknown>): void {
    const steps = `${stepCount} ${stepCount === 1 ? "step" : "steps"}`;
    this.#page.blank();
    this.#line("end", `${status} after ${steps}${reason === undefined ? "" : `: ${reason}`}`, bold);
  }

  /** A call that starts or ends has been judged. */
  #settle(toolUseId: string): void {
    this.#show(this.#wanted.find(({ id }) => id === toolUseId));
    this.#wanted = this.#wanted.filter(({ id }) => id !== toolUseId);
  }

  #show(use: ToolUse | undefined): void {
    if (use === undefined || this.#shown.has(use.id)) return;
    const text = callText(use.name, use.input);
    this.#shown.set(use.id, text);
    this.#line("call", text, cyan);
  }

  #subagent(toolUseId: string): ProgressPrinter {
    const known = this.#subagents.get(toolUseId);
    if (known !== undefined) return known;
    const printer = new ProgressPrinter(this.#page, this.#depth + 1);
    this.#subagents.set(toolUseId, printer);
    return printer;
  }
}

/** `Shell ls`, with further arguments below. */
function callText(toolName: string, input: Readonly<Record<string, unknown>>): string {
  const [first, ...rest] = Object.entries(input);
  const more = rest.map(([key, value]) => `  ${key}: ${asText(value).replaceAll("\n", "\n  ")}`);
  return [`${toolName} ${first === undefined ? "" : asText(first[1])}`, ...more].join("\n");
}

/** The output of a command, or the whole value of any other result. */
function resultText(result: unknown): string {
  const { stdout, stderr } = Object(result) as { readonly stdout?: unknown; readonly stderr?: unknown };
  return typeof stdout === "string" ? `${stdout}${stderr}`.trim() || "(no output)" : asText(result);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}
