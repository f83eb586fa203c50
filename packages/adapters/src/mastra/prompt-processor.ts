import type { RequestContext, StoredMessage } from "./config.ts";
import type { Runs } from "./runs.ts";

/** What a processor is given before the first request of a run. */
interface InputArgs {
  readonly messages: readonly StoredMessage[];
  readonly requestContext?: RequestContext;
  /** Ends the run with a tripwire. */
  abort(reason: string): never;
}

/** The processor that fires `before_agent`: what it changes is also what the memory keeps. A refusal is a tripwire of Mastra. */
export function createPromptProcessor(runs: Runs) {
  return {
    id: "tenterhook",
    name: "tenterhook",
    async processInput({ messages, requestContext, abort }: InputArgs): Promise<readonly StoredMessage[]> {
      const index = messages.findLastIndex(({ role }) => role === "user");
      const message = messages[index];
      const run = runs.open(requestContext);
      const text = message === undefined ? "" : readText(message);
      const changed = await run.beginWith(text).catch((error: Error) => abort(run.readRefusal(error)));
      if (message === undefined || changed === text) return messages;
      return messages.with(index, replaceText(message, changed));
    },
  };
}

function readText({ content }: StoredMessage): string {
  return (content.parts ?? []).flatMap(({ type, text }) => (type === "text" ? [text ?? ""] : [])).join("\n");
}

/** The message with another text; parts that are not text stay. */
function replaceText(message: StoredMessage, text: string): StoredMessage {
  const { content } = message;
  const others = (content.parts ?? []).filter(({ type }) => type !== "text");
  const changed = { ...content, parts: [{ type: "text", text }, ...others] };
  return {
    ...message,
    content: typeof content.content === "string" ? { ...changed, content: text } : changed,
  };
}
