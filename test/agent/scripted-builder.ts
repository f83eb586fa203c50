import type { AgentTools, RunResult } from "@tenterhook/agent";
import { AgentBuilder } from "@tenterhook/agent/builder";
import { type Script, type ScriptedModel, scriptedModel } from "@tenterhook/agent/testing";

/** A builder whose agent has a few harmless tools, the model that it will ask, and a record of what its tools did. */
export interface ScriptedBuilder {
  readonly builder: AgentBuilder;
  readonly model: ScriptedModel;
  /** The commands that `bash` really ran. */
  readonly ran: string[];
  /** The tool results that the model received, over the whole run. */
  outputs(): readonly unknown[];
}

export function scriptedBuilder(script: Script): ScriptedBuilder {
  const model = scriptedModel(script);
  const ran: string[] = [];
  const builder = AgentBuilder.new().withName("worker").withModel(model).withTools(toolsFor(ran));
  const outputs = () => toolOutputs(model.requests.at(-1)?.messages ?? []);
  return { builder, model, ran, outputs };
}

/** One turn that calls bash, once for each command. */
export function bash(...commands: readonly string[]) {
  return { toolCalls: commands.map((command) => ({ name: "bash", input: { command } })) };
}

export function calls(...names: readonly string[]) {
  return { toolCalls: names.map((name) => ({ name, input: {} })) };
}

/** The user texts of the conversation, from hooks and from the user. */
export function userTexts(model: ScriptedModel): readonly unknown[] {
  return (model.requests.at(-1)?.messages ?? [])
    .filter(({ role }) => role === "user")
    .map(({ content }) => content);
}

/** What a run came to, as one line to compare. */
export function ending({ status, stopReason, reason }: RunResult<unknown>): readonly unknown[] {
  return [status, stopReason, reason];
}

function toolOutputs(messages: readonly { readonly role: string; readonly content?: unknown }[]): unknown[] {
  return messages
    .filter(({ role }) => role === "tool")
    .flatMap(({ content }) => content as readonly { readonly output: unknown }[])
    .map(({ output }) => output);
}

const EMPTY = { type: "object", properties: {} };

function toolsFor(ran: string[]): AgentTools {
  const naming = (name: string) => ({ inputSchema: EMPTY, execute: () => `${name} done` });
  return {
    bash: {
      inputSchema: {
        type: "object",
        properties: { command: { type: "string" }, timeout: { type: "number" } },
        required: ["command"],
      },
      execute: ({ command }: { readonly command: string }) => {
        ran.push(command);
        return `ran ${command}`;
      },
    },
    flaky: {
      inputSchema: EMPTY,
      execute: () => {
        throw new Error("the network is down");
      },
    },
    read_file: naming("read_file"),
    read_stdin: naming("read_stdin"),
    write_file: naming("write_file"),
    bread_file: naming("bread_file"),
  };
}
