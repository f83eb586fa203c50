import { ToolMessage } from "@langchain/core/messages";
import { isRecord } from "@tenterhook/internal";
import { toText } from "./messages.ts";

/** LangGraph's command, as far as it is used here. */
export interface Command {
  readonly lg_name: "Command";
  readonly update?: unknown;
}

/** What a tool gives to LangChain: a message for the model, or a command that contains one. */
export type ToolOutput = ToolMessage | Command;

/** The result as hooks see it: what the model would read. Throws for a message that says the call failed. */
export function readOutput(output: ToolOutput, toolUseId: string): unknown {
  const message = findToolMessage(output, toolUseId);
  if (message?.status === "error") {
    throw Object.assign(new Error(toText(message.content)), { name: "ToolErrorMessage" });
  }
  return message?.content;
}

/** The tool's output after the hooks: as it was if they left it so, else with their result in the message for the model. */
export function writeOutput(
  output: ToolOutput | undefined,
  value: unknown,
  call: { readonly id: string; readonly name: string; readonly context: string },
): ToolOutput {
  const original = output === undefined ? undefined : findToolMessage(output, call.id);
  const isChanged = output === undefined || value !== original?.content;
  if (!isChanged && call.context === "") return output;
  const content = addContext(isChanged ? toContent(value) : original?.content, call.context);
  const message = new ToolMessage({
    ...(isChanged
      ? {}
      : { artifact: original?.artifact, additional_kwargs: original?.additional_kwargs ?? {} }),
    tool_call_id: call.id,
    name: original?.name ?? call.name,
    content: content as string,
  });
  return output === undefined || ToolMessage.isInstance(output)
    ? message
    : replaceMessage(output as Command, original, message);
}

/** A tool may also return the update of a command: then its message is one of those that the command adds. */
function findToolMessage(output: ToolOutput, toolUseId: string): ToolMessage | undefined {
  if (ToolMessage.isInstance(output)) return output as ToolMessage;
  return readMessages(output as Command).find(
    (message): message is ToolMessage =>
      ToolMessage.isInstance(message) && (message as ToolMessage).tool_call_id === toolUseId,
  );
}

function readMessages({ update }: Command): readonly unknown[] {
  const { messages } = isRecord(update) ? update : {};
  return Array.isArray(messages) ? messages : [];
}

function replaceMessage(command: Command, original: ToolMessage | undefined, message: ToolMessage): Command {
  const messages = readMessages(command).map((known) => (known === original ? message : known));
  const update = {
    ...(command.update as object),
    messages: original === undefined ? [...messages, message] : messages,
  };
  return Object.assign(Object.create(Object.getPrototypeOf(command) as object), command, {
    update,
  }) as Command;
}

/** Text, or parts of a message; other values as JSON. */
function toContent(value: unknown): unknown {
  const isParts =
    Array.isArray(value) && value.every((part) => isRecord(part) && typeof part.type === "string");
  return isParts && value.length > 0 ? structuredClone(value) : toText(value ?? "");
}

function addContext(content: unknown, context: string): unknown {
  if (context === "") return content;
  if (Array.isArray(content)) return [...content, { type: "text", text: context.trimStart() }];
  return `${toText(content ?? "")}${context}`;
}
