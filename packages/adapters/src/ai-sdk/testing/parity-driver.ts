import { jsonSchema, stepCountIs, ToolLoopAgent, tool } from "ai";
import type { Driver, DriverRun } from "../../testing/parity/index.ts";
import { support } from "../support.ts";
import { withHooks } from "../with-hooks.ts";
import { type MockOptions, scriptMock } from "./mock-model.ts";

/** Runs scenarios with a `ToolLoopAgent`, on the mock model of the installed version. */
export function createDriver(name: string, newMock: (options: MockOptions) => unknown): Driver {
  return {
    name,
    support,
    canStream: true,
    differences: {
      // The SDK gives its signal to the model call.
      "ends a run that is aborted before the model is called": {
        events: ["before_agent Hello", "before_step 0", "after_step 0 stopped", "after_agent stopped"],
      },
      // A limit is not an error of the SDK.
      "fires the events at the end of a run that reaches its limit of steps, once": { outcome: { text: "" } },
      "asks the model again when a hook refuses its answer": {
        // Inside the same step: the SDK knows nothing of the refused answer.
        events: [
          "before_agent Hello",
          "before_step 0",
          "before_llm",
          'after_llm completed "Maybe."',
          "before_llm",
          'after_llm completed "Done."',
          "after_step 0 completed",
          "before_stop no_tool_calls",
          "after_agent completed",
        ],
      },
      "executes a call that a person approves": { events: resumed('after_tool Shell ls completed "ran ls"') },
      "does not execute a call that a person rejects, and the model reads why": {
        events: resumed("after_tool_failure Shell ls blocked rejected by a person"),
      },
    },
    build: (hooks, options) =>
      new ToolLoopAgent(withHooks({ model: newMock(scriptMock([])) as never, tools: {} }, hooks, options)),
    async run(driverRun: DriverRun) {
      const { hooks, tools, script, subagents, prompt, isStreamed, decision, signal, onText } = driverRun;
      const { maxSteps } = driverRun;
      const mock = scriptMock(script);
      const newAgent = (id: string, model: MockOptions, all: DriverRun["tools"]) =>
        new ToolLoopAgent(
          withHooks(
            {
              id,
              model: newMock(model) as never,
              ...(maxSteps !== undefined && { stopWhen: stepCountIs(maxSteps) }),
              tools: Object.fromEntries(
                all.map((each) => [
                  each.name,
                  tool({
                    description: each.name,
                    inputSchema: jsonSchema<{ command: string }>({
                      type: "object",
                      properties: { command: { type: "string" } },
                    }),
                    execute: async (input) => each.execute(input),
                  }),
                ]),
              ),
            },
            hooks,
          ),
        );
      type Request = { prompt: string } | { messages: never[] };
      const callOf =
        (agent: ReturnType<typeof newAgent>, abortSignal?: AbortSignal) =>
        async (input: Request): Promise<RunEnd> => {
          const request = { ...input, ...(abortSignal !== undefined && { abortSignal }) } as never;
          if (!isStreamed) return agent.generate(request) as unknown as Promise<RunEnd>;
          const result = await agent.stream(request);
          let error: unknown;
          for await (const part of result.fullStream as AsyncIterable<{ type: string; error?: unknown }>) {
            if (part.type === "text-delta") onText();
            if (part.type === "abort") error ??= signal.reason;
            if (part.type === "error") error ??= part.error;
          }
          if (error !== undefined) throw error;
          return {
            text: await result.text,
            content: await result.content,
            response: await result.response,
          } as never;
        };
      const requests = () => mock.sent.map((params) => JSON.stringify(params.prompt));
      const runToEnd = async (call: (input: Request) => Promise<RunEnd>, text: string) => {
        let result = await call({ prompt: text });
        const messages: unknown[] = [{ role: "user", content: text }];
        for (let paused = findRequests(result); paused.length > 0; paused = findRequests(result)) {
          const responses = paused.map(({ approvalId }) => ({
            type: "tool-approval-response",
            approvalId,
            approved: decision === "approve",
            ...(decision === "reject" && { reason: "rejected by a person" }),
          }));
          messages.push(...result.response.messages, { role: "tool", content: responses });
          result = await call({ messages: [...messages] as never[] });
        }
        return result.text;
      };
      // The tools do not pass the signal on that they are given.
      const helpers = Object.entries(subagents).map(([name, turns]) => {
        const call = callOf(newAgent(name, scriptMock(turns), tools));
        const execute = ({ command }: { readonly command: string }) => runToEnd(call, command);
        return { name, takesPaths: false, execute };
      });
      try {
        const call = callOf(newAgent("agent", mock, [...tools, ...helpers]), signal);
        return { text: await runToEnd(call, prompt), requests: requests() };
      } catch (error) {
        return { error: (error as Error).message, requests: requests() };
      }
    },
  };
}

interface RunEnd {
  readonly text: string;
  readonly content: readonly { readonly type: string; readonly approvalId?: string }[];
  readonly response: { readonly messages: readonly unknown[] };
}

function findRequests({ content }: RunEnd) {
  return content.filter(({ type }) => type === "tool-approval-request");
}

/** The run ends at the question, and a second one continues it: there hooks are called again. */
function resumed(afterCall: string): readonly string[] {
  return [
    "before_agent Hello",
    "before_step 0",
    "before_llm",
    'after_llm completed ""',
    "before_tool Shell ls",
    "after_step 0 stopped",
    "after_agent stopped",
    "before_agent Hello",
    "before_tool Shell ls",
    afterCall,
    "before_step 0",
    "before_llm",
    'after_llm completed "Done."',
    "after_step 0 completed",
    "before_stop no_tool_calls",
    "after_agent completed",
  ];
}
