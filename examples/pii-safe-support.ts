// A support agent whose model never sees an address or a card number, and never gives one away.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createAgent, createHooks } from "@tenterhook/agent";
import type { Context } from "@tenterhook/engine";
import { auditLog, redaction } from "@tenterhook/engine/built-in";
import { modelFor } from "./model.ts";
import { printSummary, runWithProgress } from "./story.ts";
import { tempFolder } from "./temp-folder.ts";

const EMAIL = "jane@example.com";
const CARD = "4111 1111 1111 1111";

const auditFile = join(tempFolder(), "audit.jsonl");
const hooks = createHooks();
const log = auditLog(hooks, { path: auditFile });

// Only the border to the model is guarded: our own tools and this terminal may know. Add `message` and `tool_result` to
// keep the stored conversation clean as well.
redaction(hooks, { mode: "mask", detect: ["email", "credit_card"], on: ["llm_messages", "output"] });

let sent: readonly string[] = [];
const look = ({ messages }: Context<"before_llm">) => {
  sent = messages.map(({ role, content }) => `${role}: ${callText(content)}`);
};
hooks.on("before_llm", look, { name: "onlooker", priority: -1, observes: true }); // behind all others

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
        email: EMAIL,
        card: CARD,
        charges: [19.9, 19.9],
      }),
    },
  },
});

await runWithProgress(
  "Support without personal data",
  agent,
  `I am ${EMAIL}. My card ${CARD} was charged twice for order A-1042!`,
);
await agent.close();
await log.flush();

printSummary("What the model was sent last", sent);
const written = readFileSync(auditFile, "utf8");
const isClean = !written.includes(EMAIL) && !written.includes(CARD);
printSummary("What the audit log has", [
  ...written.trimEnd().split("\n").map(recordInWords),
  isClean ? "No address and no card number." : "It leaks!",
]);

/** The text of a message: its texts, calls and results. */
function callText(content: unknown): string {
  if (typeof content === "string") return content;
  const textOf = ({ text, input, output }: Part) => text ?? JSON.stringify(input ?? output?.value);
  return (content as readonly Part[]).map(textOf).join(" ");
}

interface Part {
  readonly text?: string;
  readonly input?: unknown;
  readonly output?: { readonly value?: unknown };
}

/** A line of the log in short: the event, and who changed what. */
function recordInWords(line: string): string {
  const { event, entries } = JSON.parse(line) as AuditRecord;
  const changes = entries.flatMap(({ hook, changes = [] }) =>
    changes.map(({ field }) => `${hook} changed ${field}`),
  );
  return `${event}: ${changes.join(", ") || "nothing changed"}`;
}

interface AuditRecord {
  readonly event: string;
  readonly entries: readonly {
    readonly hook: string;
    readonly changes?: readonly { readonly field: string }[];
  }[];
}
