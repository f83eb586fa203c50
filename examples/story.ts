import type { Agent, HookAct, Run, RunEvent } from "@tenterhook/agent";
import { ACTIONS, type ToolUse } from "@tenterhook/protocol";
import { whoAnswers } from "./model.ts";
import { bold, cyan, dim, Page, red, yellow } from "./page.ts";

/** Runs the agent on a message and tells it in the terminal while it happens. Ctrl-C ends the run, not the program. */
export async function tellStory(title: string, agent: Agent, message: string): Promise<Run> {
  const page = new Page();
  page.title(title);
  page.blank();
  page.line(0, "model", whoAnswers);
  page.line(0, "user", message);
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  process.once("SIGINT", interrupt);
  const stream = agent.stream(message, { signal: controller.signal });
  const story = new Story(page);
  for await (const event of stream) story.tell(event);
  process.removeListener("SIGINT", interrupt);
  const run = await stream.finished;
  if (run.status === "failed") process.exitCode = 1;
  return run;
}

/** What is told after a run. */
export function tellAfterwards(title: string, lines: readonly string[]): void {
  const page = new Page();
  page.blank();
  page.title(title);
  for (const line of lines) page.line(0, "", line);
}

/** Turns what a run tells into lines. */
class Story {
  readonly #page: Page;
  readonly #depth: number;
  /** Calls that the model asked for and that nobody has decided about yet, in the order in which that happens. */
  #wanted: readonly ToolUse[] = [];
  /** The calls of this step that are on the page already. */
  readonly #shown = new Map<string, string>();
  readonly #subagents = new Map<string, Story>();
  /** Why hooks acted in this step. */
  #reasons: string[] = [];

  constructor(page: Page, depth = 0) {
    this.#page = page;
    this.#depth = depth;
  }

  tell(event: RunEvent): void {
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
        this.#line("", `(this does not count: ${event.reason})`, dim);
        break;
      case "answer":
        this.#wanted = event.toolUses;
        break;
      case "hook_acted":
        this.#tellAct(event.act);
        break;
      case "tool_start":
        this.#tellStart(event);
        break;
      case "subagent":
        this.#subagent(event.toolUseId).tell(event.event);
        break;
      case "tool_end":
        this.#tellEnd(event);
        break;
      case "retry":
        this.#line("retry", event.error, red);
        break;
      case "run_end":
        if (this.#depth === 0) this.#tellRunEnd(event.run);
    }
  }

  #line(label: string, text: string, style?: (text: string) => string): void {
    this.#page.line(this.#depth, label, text, style);
  }

  #tellAct({ event, hook = "the host", action, reason, changed, failed }: HookAct): void {
    // Calls are judged one after another, so this is about the first that is still open.
    if (event === "before_tool") this.#show(this.#wanted[0]);
    const did = failed
      ? "failed"
      : action === "go_on"
        ? `changed ${changed?.join(", ")}`
        : ACTIONS[action].did("it");
    if (reason !== undefined) this.#reasons.push(reason);
    this.#line("hook", `${hook} on ${event} ${did}${reason === undefined ? "" : `: ${reason}`}`, yellow);
  }

  #tellStart({ toolUseId: id, toolName: name, toolInput: input }: RunEvent & { type: "tool_start" }): void {
    this.#settle(id);
    const runs = inWords(name, input);
    if (this.#shown.get(id) !== runs) this.#line("runs", runs, cyan);
  }

  #tellEnd({ toolUseId, status, result, reason }: RunEvent & { type: "tool_end" }): void {
    this.#settle(toolUseId);
    // What a subagent answered or was stopped for, and why a hook refused, was told where it happened.
    if (this.#subagents.has(toolUseId) && status !== "failed") return;
    if (reason === undefined) this.#line("result", resultInWords(result), dim);
    else if (!this.#reasons.some((told) => reason.includes(told)))
      this.#line(status === "blocked" ? "denied" : status, reason, red);
  }

  #tellRunEnd({ status, stepCount, reason }: Run<unknown>): void {
    const steps = `${stepCount} ${stepCount === 1 ? "step" : "steps"}`;
    this.#page.blank();
    this.#line("end", `${status} after ${steps}${reason === undefined ? "" : `: ${reason}`}`, bold);
  }

  /** A call that starts or has ended is decided. */
  #settle(toolUseId: string): void {
    this.#show(this.#wanted.find(({ id }) => id === toolUseId));
    this.#wanted = this.#wanted.filter(({ id }) => id !== toolUseId);
  }

  #show(use: ToolUse | undefined): void {
    if (use === undefined || this.#shown.has(use.id)) return;
    const words = inWords(use.name, use.input);
    this.#shown.set(use.id, words);
    this.#line("call", words, cyan);
  }

  #subagent(toolUseId: string): Story {
    const known = this.#subagents.get(toolUseId);
    if (known !== undefined) return known;
    const story = new Story(this.#page, this.#depth + 1);
    this.#subagents.set(toolUseId, story);
    return story;
  }
}

/** `Shell ls`, and what else there is below. */
function inWords(toolName: string, input: Readonly<Record<string, unknown>>): string {
  const [first, ...rest] = Object.entries(input);
  const more = rest.map(([key, value]) => `  ${key}: ${asText(value).replaceAll("\n", "\n  ")}`);
  return [`${toolName} ${first === undefined ? "" : asText(first[1])}`, ...more].join("\n");
}

/** Of a command what it printed, and of anything else all. */
function resultInWords(result: unknown): string {
  const { stdout, stderr } = Object(result) as { readonly stdout?: unknown; readonly stderr?: unknown };
  return typeof stdout === "string" ? `${stdout}${stderr}`.trim() || "(it printed nothing)" : asText(result);
}

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}
