import { createInterface, type Interface } from "node:readline/promises";
import type { ApprovalDecision, ApprovalRequest, Approver } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/protocol";
import { printable, shown } from "../terminal.ts";
import { agentMarker } from "../trust/agent-marker.ts";
import { callText } from "./event-text.ts";
import type { Screen } from "./screen.ts";

/** Lets the person at the terminal decide what hooks ask; where there is none, it is rejected, and the reason says so. */
export function terminalApprover(screen: Screen): Approver {
  const absence = whyUnavailable();
  if (absence !== undefined) {
    return ({ reason }) => ({ type: "reject", reason: `${reason} (nobody could be asked: ${absence})` });
  }
  return (request) => screen.exclusively(() => new Question(screen, request).decide());
}

/** Why no person can be asked here. An agent that runs this must not answer in a person's place. */
function whyUnavailable(): string | undefined {
  const marker = agentMarker(process.env);
  if (marker !== undefined) return `this runs inside an agent or a hook, ${marker}`;
  if (!process.stdin.isTTY) return "standard input is not a terminal";
  return process.stderr.isTTY ? undefined : "standard error is not a terminal";
}

/** One question of a hook. */
class Question {
  readonly #screen: Screen;
  readonly #request: ApprovalRequest;
  readonly #interface: Interface;
  readonly #closed: Promise<undefined>;

  constructor(screen: Screen, request: ApprovalRequest) {
    this.#screen = screen;
    this.#request = request;
    this.#interface = createInterface({ input: process.stdin, output: process.stderr });
    // The terminal is read key by key meanwhile, so Ctrl-C is a key.
    this.#interface.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    this.#closed = new Promise((resolve) => this.#interface.once("close", () => resolve(undefined)));
  }

  /** No answer, because the input ended or the run was interrupted, is a no. */
  async decide(): Promise<ApprovalDecision> {
    const { hook, reason, edits } = this.#request;
    const { bold, yellow } = this.#screen.styles;
    this.#tell(`${yellow("?")} ${bold(printable(hook))} asks: ${printable(reason)}`);
    this.#tell(`  ${this.#shownAction()}`);
    try {
      for (;;) {
        const answer = await this.#ask(
          edits === undefined ? "Approve or reject? [a/r] " : "Approve, reject or edit? [a/r/e] ",
        );
        if (answer === undefined) return { type: "reject", reason: `${reason} (it was not answered)` };
        if (/^a(?:pprove)?$/i.test(answer)) return { type: "approve" };
        if (/^r(?:eject)?$/i.test(answer)) return await this.#rejection();
        if (edits !== undefined && /^e(?:dit)?$/i.test(answer)) {
          const value = await this.#edited(edits);
          if (value !== undefined) return { type: "edit", value };
        }
      }
    } finally {
      this.#interface.close();
    }
  }

  #shownAction(): string {
    const { event, payload } = this.#request;
    const { toolName, toolInput } = payload as { toolName?: string; toolInput?: Record<string, unknown> };
    return toolName === undefined ? event : callText(toolName, toolInput ?? {});
  }

  async #rejection(): Promise<ApprovalDecision> {
    const why = await this.#ask("Why? The model is told. [Enter for no reason] ");
    return why ? { type: "reject", reason: why } : { type: "reject" };
  }

  /** The value as the person changed it; nothing when they emptied it, which means that they would rather not. */
  async #edited(field: string): Promise<Record<string, unknown> | undefined> {
    const value = (this.#request.payload as Readonly<Record<string, unknown>>)[field];
    let text: string | undefined = JSON.stringify(value);
    for (;;) {
      text = await this.#ask(`${field}: `, text);
      if (!text) return undefined;
      try {
        const edited: unknown = JSON.parse(text);
        if (typeof edited === "object" && edited !== null && !Array.isArray(edited)) {
          return edited as Record<string, unknown>;
        }
        this.#tell("  It must be an object, { … }.");
      } catch (error) {
        this.#tell(`  That is no JSON: ${messageOf(error)}`);
      }
    }
  }

  async #ask(question: string, proposal?: string): Promise<string | undefined> {
    const { signal } = this.#request;
    if (signal.aborted) return undefined;
    const asked = this.#interface.question(question, { signal }).catch(() => undefined);
    if (proposal !== undefined) this.#interface.write(proposal);
    return (await Promise.race([asked, this.#closed]))?.trim();
  }

  #tell(text: string): void {
    process.stderr.write(`${shown(text)}\n`);
  }
}
