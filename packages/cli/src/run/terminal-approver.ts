import { createInterface, type Interface } from "node:readline/promises";
import type { ApprovalDecision, ApprovalRequest, Approver } from "@tenterhook/engine";
import { isRecord, messageOf } from "@tenterhook/internal";
import { printable, styled } from "../terminal.ts";
import { agentMarker } from "../trust/agent-marker.ts";
import { callText } from "./event-text.ts";
import type { Screen } from "./screen.ts";

/** Asks the user at the terminal to decide approvals. Without a user, every approval is rejected with a reason. */
export async function terminalApprover(screen: Screen): Promise<Approver> {
  const obstacle = await whyUnavailable();
  if (obstacle !== undefined) {
    return ({ reason }) => ({ type: "reject", reason: `${reason} (no user to ask: ${obstacle})` });
  }
  return (request) => screen.exclusively(() => new ApprovalPrompt(screen, request).decide());
}

/** Why no user can be asked. An agent that runs this command must not answer for a user. */
async function whyUnavailable(): Promise<string | undefined> {
  const marker = await agentMarker(process.env);
  if (marker !== undefined) return `this runs inside an agent or a hook, ${marker}`;
  if (!process.stdin.isTTY) return "standard input is not a terminal";
  return process.stderr.isTTY ? undefined : "standard error is not a terminal";
}

/** The prompt for one approval. */
class ApprovalPrompt {
  readonly #screen: Screen;
  readonly #request: ApprovalRequest;
  readonly #interface: Interface;
  readonly #closed: Promise<undefined>;

  constructor(screen: Screen, request: ApprovalRequest) {
    this.#screen = screen;
    this.#request = request;
    this.#interface = createInterface({ input: process.stdin, output: process.stderr });
    // The terminal is in raw mode meanwhile, so Ctrl-C is a key.
    this.#interface.on("SIGINT", () => process.kill(process.pid, "SIGINT"));
    this.#closed = new Promise((resolve) => this.#interface.once("close", () => resolve(undefined)));
  }

  /** The end of the input or an interruption counts as a rejection. */
  async decide(): Promise<ApprovalDecision> {
    const { hook, reason, edits } = this.#request;
    const { bold, yellow } = this.#screen.styles;
    this.#print(`${yellow("?")} ${bold(printable(hook))} asks: ${printable(reason)}`);
    this.#print(`  ${this.#formatAction()}`);
    try {
      for (;;) {
        const answer = await this.#ask(
          edits === undefined ? "Approve or reject? [a/r] " : "Approve, reject or edit? [a/r/e] ",
        );
        if (answer === undefined) return { type: "reject", reason: `${reason} (no answer)` };
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

  #formatAction(): string {
    const { event, payload } = this.#request;
    const { toolName, toolInput } = payload as { toolName?: string; toolInput?: Record<string, unknown> };
    return toolName === undefined ? event : callText(toolName, toolInput ?? {});
  }

  async #rejection(): Promise<ApprovalDecision> {
    const reason = await this.#ask("Reason for the model? [Enter for none] ");
    return reason ? { type: "reject", reason } : { type: "reject" };
  }

  /** The edited value; `undefined` when the user emptied it to cancel. */
  async #edited(field: string): Promise<Record<string, unknown> | undefined> {
    const value = (this.#request.payload as Readonly<Record<string, unknown>>)[field];
    let text: string | undefined = JSON.stringify(value);
    for (;;) {
      text = await this.#ask(`${field}: `, text);
      if (!text) return undefined;
      try {
        const edited: unknown = JSON.parse(text);
        if (isRecord(edited)) return edited;
        this.#print("  It must be a JSON object: { … }.");
      } catch (error) {
        this.#print(`  Invalid JSON: ${messageOf(error)}`);
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

  #print(text: string): void {
    process.stderr.write(`${styled(text)}\n`);
  }
}
