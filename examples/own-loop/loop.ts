// An agent without a framework: a loop over `fetch`, with all its hooks from `@tenterhook/engine/host`.
import type { Hooks, Message, ToolUse } from "@tenterhook/engine";
import * as host from "@tenterhook/engine/host";

export interface Tool {
  readonly description: string;
  readonly inputSchema: object;
  execute(input: unknown, signal: AbortSignal): unknown;
}

export interface LoopOptions extends Pick<host.RunInit, "approve" | "signal"> {
  readonly hooks: Hooks;
  /** A server that speaks OpenAI's chat completions. */
  readonly baseURL: string;
  readonly apiKey?: string | undefined;
  readonly model: string;
  readonly instructions: string;
  readonly tools: Readonly<Record<string, Tool>>;
  readonly maxSteps: number;
}

/** Runs the agent on a message. Rejects if the run failed, or if a hook refused or stopped it. */
export async function runAgent(options: LoopOptions, message: string): Promise<string> {
  const { hooks, maxSteps, approve, signal } = options;
  const run = host.startRun(hooks, { agent: { id: "own", name: "own" }, maxSteps, approve, signal });
  const ending = await takeTurn(run, options, message).then(
    (text) => ({ status: "completed", text }) as const,
    (thrown: unknown) => host.readFailure(run, thrown),
  );
  const error = await host.endRun(run, ending);
  if (error !== undefined) throw error;
  return run.steps.text;
}

async function takeTurn(run: host.HostRun, options: LoopOptions, message: string): Promise<string> {
  const { instructions, model, tools, maxSteps } = options;
  const start = await host.beginTurn(run, message);
  if (start.type === "refused") throw start.error;
  let messages: readonly Message[] = [
    { role: "system", content: instructions },
    { role: "user", content: host.joinContext(start.message, start.context) },
  ];
  const definitions = Object.entries(tools).map(([name, tool]) => ({ name, ...tool }));
  const port = host.plainModel((request) => complete(options, request, run.signal.signal));
  while (run.steps.started < maxSteps) {
    const step = await host.beforeStep(run, messages);
    if (step.type === "skip") {
      messages = await host.afterStep(run, step.messages, "skipped");
      continue;
    }
    const request = { messages: step.messages, systemPrompt: instructions, tools: definitions, model };
    const answer = await host.callModel(run, request, port);
    const results = await Promise.all(answer.toolUses.map((use) => callTool(run, tools, use)));
    run.check(); // a hook may have stopped the run at a tool
    messages = await host.afterStep(run, [...step.messages, toMessage(answer), ...results]);
    if (answer.toolUses.length > 0) continue;
    const stop = await host.holdAtStop(run, answer.text);
    if (stop.type === "stop") return answer.text;
    messages = [...messages, { role: "user", content: stop.feedback }];
  }
  throw new Error(`there is no answer after ${maxSteps} steps`);
}

/** Calls a tool. What was refused, and what failed, is a result for the model too. */
async function callTool(run: host.HostRun, tools: LoopOptions["tools"], use: ToolUse): Promise<Message> {
  const call = { toolName: use.name, toolInput: use.input, toolUseId: use.id };
  const end = await host.callTool(run, call, {
    execute(input, signal) {
      const tool = tools[use.name];
      if (tool === undefined) throw new Error(`there is no tool "${use.name}"`);
      return tool.execute(input, signal());
    },
  });
  const shown = end.type === "result" ? end.value : end.type === "failed" ? end.shown : end.reason;
  const text = typeof shown === "string" ? shown : JSON.stringify(shown ?? null);
  return { role: "tool", tool_call_id: use.id, content: host.joinContext(text, end.context) };
}

type Call = { readonly id: string; readonly function: { readonly name: string; readonly arguments: string } };
type Answer = { readonly content: string | null; readonly tool_calls?: readonly Call[] };
type Usage = { readonly prompt_tokens: number; readonly completion_tokens: number };
type Completion = { readonly choices: readonly [{ readonly message: Answer }]; readonly usage: Usage };

/** Asks the model. What it throws is offered to the hooks of `on_error`. */
async function complete(options: LoopOptions, request: host.HookedRequest, signal: AbortSignal) {
  const { baseURL, apiKey: key } = options;
  const { messages, model, tools = [] } = request;
  const functions = tools.map(({ name, description, inputSchema: parameters }) => ({
    type: "function",
    function: { name, description, parameters },
  }));
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(key && { authorization: `Bearer ${key}` }) },
    body: JSON.stringify({ model, messages, ...(functions.length > 0 && { tools: functions }) }),
    signal,
  });
  if (!response.ok) throw new Error(`the model answered with status ${response.status}`);
  const { choices, usage } = (await response.json()) as Completion;
  const { content, tool_calls: calls = [] } = choices[0].message;
  const toolUses = calls.map(({ id, function: { name, arguments: input } }) => ({
    id,
    name,
    input: JSON.parse(input),
  }));
  const { prompt_tokens: inputTokens, completion_tokens: outputTokens } = usage;
  return { text: content ?? "", toolUses, usage: { inputTokens, outputTokens } };
}

function toMessage({ text, toolUses }: host.HookedAnswer): Message {
  const calls = toolUses.map(({ id, name, input }) => ({
    id,
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  }));
  return { role: "assistant", content: text, ...(calls.length > 0 && { tool_calls: calls }) };
}
