import { type Message, messageOf } from "@tenterhook/protocol";
import type { Models } from "../model/models.ts";
import type { History } from "./history.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { callModel } from "./model-call.ts";
import type { RunScope } from "./run-scope.ts";
import { RunStopped } from "./run-stopped.ts";

/** When and how a conversation that grows too long is replaced by a summary of itself. */
export interface CompactionSettings {
  /** Compact when the conversation is longer than this, estimated at four characters a token. */
  readonly maxTokens: number;
  /** How many of the latest messages stay as they are. */
  readonly keepMessages: number;
  /** What the summary must keep, for the model that writes it. */
  readonly instructions: string;
}

export const DEFAULT_KEEP_MESSAGES = 6;

export const DEFAULT_SUMMARY_INSTRUCTIONS =
  "Summarise the conversation so far, so that the work can go on from the summary alone: what was asked, what was " +
  "done and found out (names, paths and values exactly), what was decided and why, and what is left to do.";

/** As English text has them; providers count what they were sent, not what they would be sent next. */
const CHARACTERS_PER_TOKEN = 4;

export type CompactionTrigger = "auto" | "manual";

/** Puts a summary in place of the older part of the conversation, if hooks allow it. Says whether it did. */
export async function compact(
  run: RunScope,
  models: Models,
  settings: LoopSettings,
  compaction: CompactionSettings,
  history: History,
  trigger: CompactionTrigger,
): Promise<boolean> {
  const before = history.messages;
  const cut = cutAt(before, compaction.keepMessages);
  if (cut === 0) return false;
  const asked = await run.ask("pre_compact", {
    trigger,
    messages: before as Message[],
    tokenCount: estimateTokens(before),
  });
  if (asked.action === "refuse") return false;
  const instructions = [compaction.instructions, ...asked.context].join("\n\n");
  const summary = await summarise(run, models, settings, before.slice(0, cut), instructions);
  if (summary === undefined) return false;
  const summarised: Message = {
    role: "user",
    content: `<summary_of_earlier_conversation>\n${summary}\n</summary_of_earlier_conversation>`,
  };
  history.replace([summarised, ...before.slice(cut)]);
  run.emit({ type: "compacted", messagesBefore: before.length, messagesAfter: history.messages.length });
  return true;
}

/** A summary that cannot be had is no reason to fail: the conversation stays as long as it is, and that is told. */
async function summarise(
  run: RunScope,
  models: Models,
  settings: LoopSettings,
  messages: readonly Message[],
  instructions: string,
): Promise<string | undefined> {
  const wish: Message = { role: "user", content: instructions };
  const call = {
    systemPrompt: settings.instructions,
    messages: [...messages, wish],
    tools: [],
    purpose: "compaction",
  };
  try {
    const answered = await callModel(run, models, settings, call);
    const text = answered.type === "answered" ? answered.answer.text.trim() : "";
    return text === "" ? undefined : text;
  } catch (error) {
    if (error instanceof RunStopped) throw error;
    process.emitWarning(`The conversation was not compacted: ${messageOf(error)}`, {
      type: "TenterhookWarning",
    });
    return undefined;
  }
}

/** Where to cut: the kept part begins with a message that stands by itself, never with results of calls that are gone. */
function cutAt(messages: readonly Message[], keep: number): number {
  let cut = Math.max(0, messages.length - keep);
  while (cut > 0 && messages[cut]?.role === "tool") cut--;
  // One message alone is shorter than any summary of it.
  return cut <= 1 ? 0 : cut;
}

export function estimateTokens(messages: readonly Message[]): number {
  let characters = 0;
  for (const { content } of messages) {
    characters += typeof content === "string" ? content.length : (JSON.stringify(content) ?? "").length;
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
