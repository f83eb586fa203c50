import {
  createSdkMcpServer,
  type Options,
  query,
  type SDKMessage,
  type SDKResultMessage,
  type SDKUserMessage,
  tool,
} from "@anthropic-ai/claude-agent-sdk";
import type { AdapterOptions } from "@tenterhook/adapters";
import { claudeHooks, withHooks } from "@tenterhook/adapters/claude-agent-sdk";
import { createHooks, type Hooks } from "@tenterhook/engine";
import { z } from "zod";
import { AGENT_EVENT_NAMES } from "./agent-events.ts";
import { createHome } from "./claude-home.ts";
import { type ModelRequest, type Script, startMessagesServer } from "./messages-server.ts";

/** A run of Claude Code, offline: what it did and what the model read. */
export interface Run {
  readonly messages: readonly SDKMessage[];
  readonly results: readonly SDKResultMessage[];
  /** The last result. */
  readonly result: Partial<Record<"subtype" | "result" | "terminal_reason", string>>;
  readonly error: Error | undefined;
  readonly requests: readonly ModelRequest[];
  /** The inputs that the tool `echo` ran with. */
  readonly toolRuns: readonly string[];
  /** What the model read as results of tools in its last request, without the reminders of Claude Code. */
  readonly toolResults: readonly string[];
  /** The last request as JSON. */
  readonly lastRequest: string;
}

export interface Setting {
  readonly prompt?: string | readonly string[];
  readonly options?: Options;
  readonly adapter?: AdapterOptions;
  /** `alone`: `claudeHooks` only; `plain`: no hooks of Tenterhook. Default: `withHooks` around the query. */
  readonly by?: "host" | "alone" | "plain";
}

/** Runs Claude Code with hooks, against a scripted model, in folders of its own. */
export async function runClaude(script: Script, hooks: Hooks, setting: Setting = {}): Promise<Run> {
  const { prompt = "Go.", adapter, by = "host" } = setting;
  const server = await startMessagesServer(script);
  const home = createHome(server.url);
  const toolRuns: string[] = [];
  const options: Options = {
    mcpServers: { t: createSdkMcpServer({ name: "t", tools: [echoTool(toolRuns)] }) },
    allowedTools: ["mcp__t__echo", "Bash", "Read", "Agent"],
    ...home.options,
    ...setting.options,
  };
  const input = typeof prompt === "string" ? prompt : sendAll(prompt);
  const messages: SDKMessage[] = [];
  let error: Error | undefined;
  try {
    const running =
      by === "host"
        ? withHooks(query, hooks, adapter)({ prompt: input, options })
        : query({ prompt: input, options: by === "plain" ? options : claudeHooks(hooks, options, adapter) });
    for await (const message of running) messages.push(message);
  } catch (thrown) {
    error = thrown as Error;
  } finally {
    await home.remove();
    await server.close();
  }
  const { requests } = server;
  const results = messages.filter((message) => message.type === "result");
  return {
    messages,
    results,
    result: (results.at(-1) ?? {}) as Run["result"],
    error,
    requests,
    toolRuns,
    toolResults: readToolResults(requests.at(-1)),
    lastRequest: JSON.stringify(requests.at(-1)?.messages ?? []),
  };
}

/** A call of the tool `echo`, then an answer. */
export function callEcho(text: string, answer = "done"): Script {
  return [{ calls: [{ name: "mcp__t__echo", input: { text } }] }, answer];
}

/** A call of `Bash`, then an answer. */
export function callBash(command: string): Script {
  return [{ calls: [{ name: "Bash", input: { command } }] }, "done"];
}

/** Hooks whose failures are not printed, and the events that they get: `before_tool mcp__t__echo`. */
export function recordEvents(): { hooks: Hooks; fired: string[] } {
  const hooks = createHooks({ report: () => {} });
  const fired: string[] = [];
  for (const event of AGENT_EVENT_NAMES) {
    hooks.on(
      event,
      (context) => {
        const { toolName, status } = context as { toolName?: string; status?: string };
        fired.push([event, toolName, status].filter((word) => word !== undefined).join(" "));
      },
      { name: `record ${event}`, observes: true, priority: 1000 },
    );
  }
  return { hooks, fired };
}

function echoTool(runs: string[]) {
  return tool("echo", "Says it again", { text: z.string() }, async ({ text }) => {
    runs.push(text);
    if (text === "fail") throw new Error("the tool failed");
    return { content: [{ type: "text", text: `echo ${text}` }] };
  });
}

async function* sendAll(prompts: readonly string[]): AsyncGenerator<SDKUserMessage> {
  for (const content of prompts)
    yield { type: "user", message: { role: "user", content }, parent_tool_use_id: null, session_id: "" };
}

function readToolResults(request: ModelRequest | undefined): readonly string[] {
  const blocks = (request?.messages ?? []).flatMap(({ content }) => (Array.isArray(content) ? content : []));
  return blocks
    .filter(({ type }) => type === "tool_result")
    .map(({ content }) => stripReminders(readText(content)));
}

function readText(content: unknown): string {
  return typeof content === "string"
    ? content
    : (content as readonly { text?: string }[]).map(({ text = "" }) => text).join("\n");
}

function stripReminders(text: string): string {
  return text.replaceAll(/<system-reminder>\n?<total_tokens>[\s\S]*?<\/system-reminder>/g, "").trim();
}
