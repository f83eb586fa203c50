// A support agent whose model never sees an address or a card number, and never gives one away.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAgent } from "@tenterhook/agent";
import { createHooks } from "@tenterhook/engine";
import { auditLog, redaction } from "@tenterhook/engine/ready";
import { modelFor } from "./model.ts";
import { tellAfterwards, tellStory } from "./story.ts";
import { tempFolder } from "./temp-folder.ts";

const auditFile = join(tempFolder(), "audit.jsonl");
const hooks = createHooks();
const log = auditLog(hooks, { path: auditFile });

// Only the border to the model is guarded: our own tools and this terminal may know. To keep the stored conversation
// clean as well, leave out `on`.
redaction(hooks, { mode: "mask", detect: ["email", "credit_card"], on: ["llm_messages", "output"] });

// Behind all others, so that it sees what really goes out.
const sent: string[] = [];
hooks.on("before_llm", ({ messages }) => void sent.splice(0, sent.length, ...messages.map(inOneLine)), {
  name: "onlooker",
  priority: -100,
  observes: true,
});

const agent = createAgent({
  instructions: "You help customers of a shop with their orders. Be brief and friendly.",
  model: await modelFor([
    { text: "I look it up.", toolCalls: [{ name: "FindOrder", input: { order: "A-1042" } }] },
    // The model makes an address up, as models do.
    "The second charge was a mistake, and 19.90 is on its way back. Anything else? Write to billing@shop.example.",
  ]),
  hooks,
  tools: {
    FindOrder: {
      description: "Finds an order by its number.",
      inputSchema: {
        type: "object",
        properties: { order: { type: "string", description: "For example A-1042." } },
        required: ["order"],
      },
      execute: ({ order }: { readonly order: string }) => ({
        order,
        email: "jane@example.com",
        card: "4111 1111 1111 1111",
        charges: [19.9, 19.9],
      }),
    },
  },
});

await tellStory(
  "Support without personal data",
  agent,
  "I am jane@example.com. My card 4111 1111 1111 1111 was charged twice for order A-1042!",
);
await agent.close();
await log.flush();

tellAfterwards("What the model was sent last", sent);
tellAfterwards("What the audit log has", readFileSync(auditFile, "utf8").trimEnd().split("\n"));

function inOneLine({ role, content }: { readonly role: string; readonly content: unknown }): string {
  return `${role}: ${typeof content === "string" ? content : JSON.stringify(content)}`;
}
