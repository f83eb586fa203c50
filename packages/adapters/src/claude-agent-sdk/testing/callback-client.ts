import type { Callback, ClaudeOptions, HookAnswer } from "../sdk-types.ts";

/** Calls callbacks as Claude Code would, without its program: one entry per event. */
export class CallbackClient {
  readonly #options: ClaudeOptions;
  #calls = 0;

  constructor(options: object) {
    this.#options = options as ClaudeOptions;
  }

  /** Calls the last callback of an event, which is the adapter's. */
  async call(event: string, fields: object = {}): Promise<HookAnswer> {
    const callback = this.#options.hooks?.[event]?.at(-1)?.hooks.at(-1) as unknown as Callback;
    const input = { hook_event_name: event, session_id: "s", cwd: "/work", ...fields };
    const { signal } = new AbortController();
    return callback(input, undefined, { signal });
  }

  /** A tool call up to its execution; returns the answer and the fields of the call for `finish`. */
  async start(toolName: string, toolInput: object, more: object = {}) {
    const fields = {
      tool_name: toolName,
      tool_input: toolInput,
      tool_use_id: `call-${++this.#calls}`,
      ...more,
    };
    return { fields, answer: await this.call("PreToolUse", fields) };
  }

  /** The end of a call that has succeeded. */
  finish(fields: object, response: unknown): Promise<HookAnswer> {
    return this.call("PostToolUse", { ...fields, tool_response: response });
  }
}

/** The part of an answer that depends on the event. */
export function readOutput({ hookSpecificOutput }: HookAnswer): Record<string, unknown> {
  return { ...hookSpecificOutput };
}
