import { randomUUID } from "node:crypto";
import { isRecord } from "@tenterhook/internal";
import type { ToolUse } from "@tenterhook/protocol";
import { isSameInput } from "../core/index.ts";
import type { Prompt } from "./config.ts";

/**
 * Calls whose approval Mastra asked about, and whose ids are not known: it gives the policy of a tool a name and an input. They are calls
 * of a run that was paused in another process. Their ids are known when they are executed, or when the model reads that they were declined.
 */
export class UnidentifiedCalls {
  /** Each under an id that was made up for it. */
  readonly #calls: ToolUse[] = [];

  /** Adds a call; returns its made-up id. */
  add(name: string, input: unknown): string {
    const id = `unidentified-${randomUUID()}`;
    this.#calls.push({ id, name, input: readInput(input) });
    return id;
  }

  /** Removes a call with this name and input; returns its made-up id. */
  take(name: string, input: unknown): string | undefined {
    const index = this.#find(name, input);
    return index < 0 ? undefined : this.#calls.splice(index, 1)[0]?.id;
  }

  /** The calls that are in a conversation, with the ids that they have there. */
  find(prompt: Prompt): readonly ToolUse[] {
    if (this.#calls.length === 0) return [];
    return prompt
      .flatMap(({ role, content }) => (role === "assistant" && typeof content !== "string" ? content : []))
      .filter(({ type, toolName, input }) => type === "tool-call" && this.#find(toolName, input) >= 0)
      .map(({ toolCallId, toolName, input }) => ({
        id: String(toolCallId),
        name: String(toolName),
        input: readInput(input),
      }));
  }

  #find(name: unknown, input: unknown): number {
    const wanted = readInput(input);
    return this.#calls.findIndex((call) => call.name === name && isSameInput(call.input, wanted));
  }
}

function readInput(input: unknown): Record<string, unknown> {
  return isRecord(input) ? input : {};
}
