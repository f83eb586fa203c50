import type { Agent, Model, ModelRequest, Runner, RunnerConfig, RunOptions, RunResult } from "../sdk.ts";

/** Stands for an agent of the SDK, which is tested with these hooks in test/adapters/openai-agents. */
export class FakeAgent {
  readonly name: string = "assistant";
  readonly model: Model = new FakeModel();
  readonly tools: Agent["tools"] = [];
  readonly handoffs: Agent["handoffs"] = [];
  readonly mcpServers: Agent["mcpServers"] = [];
  readonly mcpConfig: Agent["mcpConfig"] = {};
  readonly toolUseBehavior: unknown = "run_llm_again";

  constructor(fields: Partial<Agent> = {}) {
    Object.assign(this, fields);
  }

  clone(changes: Partial<Agent>): Agent {
    return new FakeAgent({ ...this, ...changes });
  }

  asTool(): never {
    throw new Error("not an agent that is a tool");
  }

  async getAllTools(): Promise<Agent["tools"]> {
    return this.tools;
  }

  async getEnabledHandoffs(): Promise<[]> {
    return [];
  }

  emit(): boolean {
    return false;
  }
}

type Respond = (request: ModelRequest) => ReturnType<Model["getResponse"]>;

export const ANSWER = { usage: {}, output: [{ role: "assistant", content: "done" }] };

/** Answers each call by a function. */
export class FakeModel implements Model {
  readonly #respond: Respond;

  constructor(respond: Respond = async () => ANSWER) {
    this.#respond = respond;
  }

  getResponse(request: ModelRequest): ReturnType<Model["getResponse"]> {
    return this.#respond(request);
  }

  async *getStreamedResponse(request: ModelRequest): ReturnType<Model["getStreamedResponse"]> {
    yield { type: "response_done", response: await this.#respond(request) };
  }
}

/** Calls the model of an agent once. */
export class FakeRunner implements Runner {
  readonly config: RunnerConfig;

  constructor(config: RunnerConfig = { modelProvider: { getModel: () => new FakeModel() } }) {
    this.config = config;
  }

  async run(agent: Agent, input: never, options: RunOptions = {}): Promise<RunResult & { lastAgent: Agent }> {
    await callModel(agent, options.signal, input);
    return { state: { currentAgent: agent } as RunResult["state"], finalOutput: "done", lastAgent: agent };
  }

  emit(): boolean {
    return false;
  }
}

/** What a runner without hooks does. */
export function callModel(
  { model }: Agent,
  signal?: AbortSignal,
  input: ModelRequest["input"] = "hi",
): ReturnType<Model["getResponse"]> {
  return (model as Model).getResponse({ input, tools: [], signal });
}
