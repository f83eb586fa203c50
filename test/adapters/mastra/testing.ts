import { Agent, type AgentConfig } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { withHooks } from "@tenterhook/adapters/mastra";
import type { Hooks } from "@tenterhook/engine";
import { z } from "zod";
import { type Answer, type Request, scriptModel } from "./scripted-model.ts";

type Options = NonNullable<Parameters<typeof withHooks>[2]>;

/** What tests read of the end of a call, the same for `generate` and `stream`. */
export interface End {
  readonly text: string;
  readonly finishReason: string | undefined;
  readonly error: string | undefined;
  readonly runId: string;
  /** The call that a person is asked about: that of a subagent, if it is the subagent that asks. */
  readonly waitingCall?: string | undefined;
  /** The types of the parts of a stream. */
  readonly parts: readonly string[];
}

/** A tool that records its calls. */
export function newShell(executed: string[], extra: object = {}) {
  return createTool({
    id: "shell",
    description: "Runs a command.",
    inputSchema: z.object({ command: z.string() }),
    execute: async ({ command }) => {
      executed.push(command);
      if (command === "fail") throw new Error("the disk is full");
      return `ran ${command}`;
    },
    ...extra,
  });
}

/** An agent with hooks, a scripted model, and a tool that records its calls. */
export function hookedAgent(
  hooks: Hooks,
  answers: readonly Answer[],
  {
    options,
    onCall,
    storage,
    ...config
  }: Partial<AgentConfig> & {
    readonly options?: Options;
    readonly onCall?: (request: Request) => void;
    readonly storage?: InMemoryStore;
  } = {},
) {
  const model = scriptModel(answers, onCall);
  const executed: string[] = [];
  const agent = new Agent(
    withHooks(
      {
        id: "helper",
        name: "helper",
        instructions: "Help.",
        model: model as never,
        tools: { shell: newShell(executed) },
        ...config,
      } as AgentConfig,
      hooks,
      options,
    ),
  );
  register(agent as Agent, storage);
  return { agent: agent as Agent, model, executed };
}

/** Gives an agent a store, without which Mastra cannot resume a paused run. */
export function register(agent: Agent, storage = new InMemoryStore()): Mastra {
  return new Mastra({ agents: { [agent.id]: agent }, storage, logger: false });
}

/** Calls an agent, streaming or not. It does not reject: the error is a part of what it returns. */
export async function run(
  agent: Agent,
  isStreamed: boolean,
  options: object = {},
  prompt = "Hello",
  onText?: () => void,
): Promise<End> {
  return isStreamed
    ? readStream(() => agent.stream(prompt, options as never) as never, onText)
    : readResult(() => agent.generate(prompt, options as never) as never);
}

/** Answers the question about a call of a paused run, and continues it. */
export function answer(
  agent: Agent,
  isStreamed: boolean,
  runId: string,
  toolCallId: string,
  { approved, ...options }: { readonly approved: boolean; readonly [option: string]: unknown },
): Promise<End> {
  const given = {
    ...options,
    runId,
    toolCallId,
    ...(!approved && { reason: "rejected by a person" }),
  } as never;
  if (isStreamed)
    return readStream(
      () => (approved ? agent.approveToolCall(given) : agent.declineToolCall(given)) as never,
    );
  return readResult(
    () => (approved ? agent.approveToolCallGenerate(given) : agent.declineToolCallGenerate(given)) as never,
  );
}

async function readResult(
  call: () => Promise<{
    steps?: readonly { readonly text?: string }[];
    text: string;
    finishReason?: string;
    runId?: string;
    suspendPayload?: { readonly toolCallId?: string };
    tripwire?: { readonly reason: string };
  }>,
): Promise<End> {
  try {
    const { text, steps, finishReason, runId = "", tripwire, suspendPayload } = await call();
    return {
      // `text` joins the texts of all steps.
      text: steps?.at(-1)?.text ?? text,
      finishReason,
      error: tripwire?.reason,
      runId,
      waitingCall: suspendPayload?.toolCallId,
      parts: [],
    };
  } catch (error) {
    return {
      text: "",
      finishReason: undefined,
      error: (error as Error).message,
      runId: "",
      parts: [],
    };
  }
}

async function readStream(
  call: () => Promise<{
    readonly fullStream: AsyncIterable<{
      readonly type: string;
      readonly payload?: { readonly toolCallId?: string };
    }>;
    readonly text: Promise<string>;
    readonly finishReason: Promise<string | undefined>;
    readonly error?: Error;
    readonly runId: string;
    readonly tripwire?: { readonly reason: string };
  }>,
  onText?: () => void,
): Promise<End> {
  const parts: string[] = [];
  let waitingCall: string | undefined;
  try {
    const stream = await call();
    for await (const { type, payload } of stream.fullStream) {
      parts.push(type);
      if (type === "tool-call-approval") waitingCall = payload?.toolCallId;
      if (type === "text-delta") onText?.();
    }
    const { error, runId, tripwire } = stream;
    const [text, finishReason] = await Promise.all([stream.text, stream.finishReason]);
    return { text, finishReason, error: tripwire?.reason ?? error?.message, runId, waitingCall, parts };
  } catch (error) {
    return { text: "", finishReason: undefined, error: (error as Error).message, runId: "", parts };
  }
}

/** What the model read in a request: every message as JSON. */
export function readRequest(request: Request | undefined): string {
  return JSON.stringify(request?.prompt);
}
