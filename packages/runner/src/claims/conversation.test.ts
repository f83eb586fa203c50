import type { ConversationEntry } from "@tenterhook/protocol/runs";
import { expect, test } from "vitest";
import { batchesOf } from "./conversation.ts";

const message = (length: number) => ({ role: "user", content: "x".repeat(length) });

/** The conversation that entries amount to. */
function folded(entries: readonly ConversationEntry[]) {
  let messages: ConversationEntry["messages"] = [];
  for (const entry of entries)
    messages = entry.type === "replaced" ? entry.messages : [...messages, ...entry.messages];
  return messages;
}

test("a short conversation is one report, as it was", () => {
  const entries: ConversationEntry[] = [
    { type: "messages", messages: [message(10)] },
    { type: "replaced", messages: [] },
    { type: "messages", messages: [message(20), message(30)] },
  ];
  expect([...batchesOf(entries)]).toEqual([entries]);
  expect([...batchesOf([])]).toEqual([]);
});

test("a long one is several, each within the size limit, with the same content", () => {
  const entries: ConversationEntry[] = [
    { type: "messages", messages: [message(400_000), message(5)] },
    { type: "replaced", messages: [message(300_000), message(300_000), message(1), message(300_000)] },
    { type: "messages", messages: [message(900_000)] },
  ];
  const batches = [...batchesOf(entries)];
  expect(folded(batches.flat())).toEqual(folded(entries));
  for (const batch of batches) {
    const isOneMessage = batch.flatMap(({ messages }) => messages).length === 1;
    expect(JSON.stringify(batch).length < 600_000 || isOneMessage).toBe(true);
  }
  expect(batches.flat().filter(({ type }) => type === "replaced")).toHaveLength(1);
});
