import { createHooks, type Hooks } from "@tenterhook/engine";
import { EVENT_NAMES } from "@tenterhook/protocol";
import { generateText, jsonSchema, streamText, ToolLoopAgent, tool } from "ai";
import { type AdapterOptions, readSupport } from "../../core/index.ts";
import { recordEvents } from "../../testing/parity/describe-event.ts";
import { support } from "../support.ts";
import { withHooks } from "../with-hooks.ts";
import { type MockAnswer, type MockOptions, scriptMock } from "./mock-model.ts";

/** The installed version of the SDK, and its mock model. */
export interface Sdk {
  readonly major: 6 | 7;
  newModel(mock: MockOptions): unknown;
}

/** What a call gave: also one that failed, and whether it streamed or not. */
export interface Ran {
  readonly text: string | undefined;
  readonly error: Error | undefined;
  /** The parts of a stream; empty of a call that does not stream. */
  readonly parts: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly content: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly steps: readonly { readonly text: string; readonly finishReason: string }[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
  readonly output: unknown;
}

/** How a case calls the SDK. */
export type Settings = Readonly<Record<string, unknown>>;

const inputSchema = jsonSchema<{ command: string }>({
  type: "object",
  properties: { command: { type: "string" } },
  required: ["command"],
});

/** A call of the tool `Shell`, as the model writes it. */
export function shell(command: string, id = "1", name = "Shell") {
  return { id, name, input: { command } };
}

export const oneCall: readonly MockAnswer[] = [{ calls: [shell("ls")] }, { text: "Done." }];

/** Hooks, a scripted model and a tool that records what it executed, for one case. */
export class SdkRig {
  readonly hooks: Hooks = createHooks({ report: () => undefined });
  readonly executed: string[] = [];
  readonly warnings: string[] = [];
  readonly mock: ReturnType<typeof scriptMock>;
  readonly model: never;
  readonly events: string[];
  readonly #isStreamed: boolean;

  constructor({ newModel }: Sdk, script: readonly MockAnswer[], isStreamed = false) {
    this.mock = scriptMock(script);
    this.model = newModel(this.mock) as never;
    this.#isStreamed = isStreamed;
    const fired = EVENT_NAMES.filter((event) => readSupport(support, event).level !== "none");
    this.events = recordEvents(this.hooks, fired);
  }

  /** What the model was sent, as text. */
  get sent(): readonly string[] {
    return this.mock.sent.map(({ prompt }) => JSON.stringify(prompt));
  }

  /** The tool `Shell`; it fails for the command `fail`. */
  newTool(settings: Settings = {}) {
    return tool({
      description: "Runs a command",
      inputSchema,
      execute: async ({ command }: { command: string }) => {
        this.executed.push(command);
        if (command === "fail") throw new Error("the disk is full");
        return `ran ${command}`;
      },
      ...settings,
    } as never) as never;
  }

  readonly options: AdapterOptions = { warn: (message) => void this.warnings.push(message) };

  /** An agent with the hooks. Build it after they are registered. */
  newAgent(settings: Settings = {}, options: AdapterOptions = {}): ToolLoopAgent {
    const own = {
      model: this.model,
      tools: { Shell: this.newTool() },
      onError: () => undefined,
      ...settings,
    };
    return new ToolLoopAgent(withHooks(own, this.hooks, { ...this.options, ...options }) as never);
  }

  /** Runs a new agent once. */
  run(settings: Settings = {}, input: Settings = { prompt: "Hello" }): Promise<Ran> {
    return this.call(this.newAgent(settings), input);
  }

  call(agent: ToolLoopAgent, input: Settings = { prompt: "Hello" }): Promise<Ran> {
    return readResult(
      this.#isStreamed ? () => agent.stream(input as never) : () => agent.generate(input as never),
    );
  }

  /** One call of `generateText` or `streamText` with settings that have hooks. */
  text(settings: Settings = {}, options: AdapterOptions = {}): Promise<Ran> {
    const own = { model: this.model, tools: { Shell: this.newTool() }, prompt: "Hello", ...settings };
    return this.plainText(withHooks(own, this.hooks, { ...this.options, ...options }));
  }

  /** One call of `generateText` or `streamText` with these settings as they are. */
  plainText(settings: object): Promise<Ran> {
    return readResult(
      this.#isStreamed
        ? async () => streamText({ onError: () => undefined, ...settings } as never)
        : () => generateText(settings as never),
    );
  }
}

/** The next messages of a conversation in which a person has decided about all questions. */
export function answerRequests(
  { content, messages }: Ran,
  approved: boolean,
  reason?: string,
  prompt = "Hello",
): Settings {
  const responses = content
    .filter(({ type }) => type === "tool-approval-request")
    .map(({ approvalId }) => ({
      type: "tool-approval-response",
      approvalId,
      approved,
      ...(reason !== undefined && { reason }),
    }));
  return {
    messages: [{ role: "user", content: prompt }, ...messages, { role: "tool", content: responses }],
  };
}

async function readResult(start: () => Promise<unknown>): Promise<Ran> {
  const parts: { type: string; error?: unknown }[] = [];
  try {
    const result = (await start()) as Readonly<Record<string, unknown>>;
    if (!("fullStream" in result)) return readEnd(result, parts);
    let error: unknown;
    for await (const part of result.fullStream as AsyncIterable<{ type: string; error?: unknown }>) {
      parts.push(part);
      if (part.type === "error") error ??= part.error;
    }
    const names = ["text", "content", "steps", "response", "responseMessages"];
    const values = await Promise.allSettled(names.map((name) => result[name]));
    // It rejects where there is none.
    const output = await Promise.resolve(result.output).catch(() => undefined);
    const rejected = values.find(({ status }) => status === "rejected") as PromiseRejectedResult | undefined;
    error ??= rejected?.reason;
    if (error !== undefined) throw error;
    const read = values.map((value, index) => [names[index], (value as { value?: unknown }).value]);
    return readEnd({ ...Object.fromEntries(read), output }, parts);
  } catch (error) {
    return {
      text: undefined,
      error: error as Error,
      parts: parts as never,
      content: [],
      steps: [],
      messages: [],
      output: undefined,
    };
  }
}

function readEnd(result: Readonly<Record<string, unknown>>, parts: readonly unknown[]): Ran {
  const { text, content, steps, response, responseMessages } = result as unknown as Ran & {
    readonly response: Pick<Ran, "messages">;
    /** Of all steps; in version 7 only. */
    readonly responseMessages?: Ran["messages"];
  };
  let output: unknown;
  try {
    output = result.output;
  } catch {
    // There is none.
  }
  return {
    text,
    error: undefined,
    parts: parts as never,
    content,
    steps,
    messages: responseMessages ?? response.messages,
    output,
  };
}
