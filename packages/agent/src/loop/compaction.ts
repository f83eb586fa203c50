import { messageOf } from "@tenterhook/internal";
import type { Message } from "@tenterhook/protocol";
import type { Models } from "../model/models.ts";
import type { RunContext } from "../run/run-context.ts";
import type { History } from "./history.ts";
import type { CompactionOptions, CompactionSettings, LoopSettings } from "./loop-settings.ts";
import { callModel } from "./model-call.ts";

const DEFAULT_KEEP_MESSAGES = 6;

const DEFAULT_SUMMARY_INSTRUCTIONS =
  "Summarise the conversation so far, so that the work can go on from the summary alone: what was asked, what was " +
  "done and found out (names, paths and values exactly), what was decided and why, and what is left to do.";

/** An estimate for English text: providers only count the tokens of requests that were sent. */
const CHARACTERS_PER_TOKEN = 4;

/** The settings of a compaction, with all defaults applied. */
export function compactionSettings({
  maxTokens,
  keepMessages = DEFAULT_KEEP_MESSAGES,
  instructions = DEFAULT_SUMMARY_INSTRUCTIONS,
}: CompactionOptions): CompactionSettings {
  return { maxTokens, keepMessages, instructions };
}

/** Replaces the older part of the conversation by a summary, if the agent has a limit and the conversation is longer. */
export async function compactIfLong(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  history: History,
): Promise<void> {
  const { compaction } = settings;
  if (compaction === undefined || estimateTokens(history.messages) <= compaction.maxTokens) return;
  await compact(run, models, settings, compaction, history, "auto");
}

/** Replaces the older part of the conversation by a summary, if hooks allow it. Returns whether it did. */
export async function compact(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  compaction: CompactionSettings,
  history: History,
  trigger: "auto" | "manual",
): Promise<boolean> {
  const before = history.messages;
  const cut = cutAt(before, compaction.keepMessages);
  if (cut === 0) return false;
  const asked = await run.host.fire("pre_compact", {
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

/** If the summary fails, the run continues with the full conversation and a process warning. */
async function summarise(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  messages: readonly Message[],
  instructions: string,
): Promise<string | undefined> {
  const request: Message = { role: "user", content: instructions };
  const call = {
    systemPrompt: settings.instructions,
    messages: [...messages, request],
    tools: [],
    purpose: "compaction",
  };
  try {
    const answered = await callModel(run, models, settings, call);
    const text = answered.type === "answered" ? answered.response.text.trim() : "";
    return text === "" ? undefined : text;
  } catch (error) {
    run.host.check();
    process.emitWarning(`The conversation was not compacted: ${messageOf(error)}`, {
      type: "TenterhookWarning",
    });
    return undefined;
  }
}

/** Where to cut: the kept part must not start with tool results whose calls were removed. */
function cutAt(messages: readonly Message[], keep: number): number {
  let cut = Math.max(0, messages.length - keep);
  while (cut > 0 && messages[cut]?.role === "tool") cut--;
  // A summary of one message would not be shorter.
  return cut <= 1 ? 0 : cut;
}

function estimateTokens(messages: readonly Message[]): number {
  let characters = 0;
  for (const { content } of messages) {
    characters += typeof content === "string" ? content.length : (JSON.stringify(content) ?? "").length;
  }
  return Math.ceil(characters / CHARACTERS_PER_TOKEN);
}
