// Hooks around a loop of one's own: one refuses, one asks a person, one retries the model, one keeps the agent running.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openAiServer } from "@tenterhook/agent/testing";
import { type AroundHandler, ask, block, createHooks } from "@tenterhook/engine";
import { whoAnswers } from "../model.ts";
import { Page } from "../page.ts";
import { tempFolder } from "../temp-folder.ts";
import { runAgent, type Tool } from "./loop.ts";

const page = new Page();
const hooks = createHooks();

hooks.on("before_tool", () => block("only logs may go"), {
  name: "logs-only",
  matcher: { tool: "delete_file", pattern: "\\.txt$" },
});

hooks.on("before_tool", () => ask("a deleted file is gone"), { name: "careful", matcher: "delete_file" });

const onceMore: AroundHandler<"around_llm"> = (_ctx, next) =>
  next().catch((error: unknown) => {
    page.line(0, "hook", `once-more on around_llm: ${String(error)}`);
    return next();
  });
hooks.around("around_llm", onceMore, { name: "once-more" });

let hasRead = false;
const noteReading = () => {
  hasRead = true;
};
hooks.on("after_tool", noteReading, { matcher: "read_file" });
hooks.on("before_stop", () => (hasRead ? undefined : block("Read the notes before you stop.")), {
  name: "read-first",
});

const folder = tempFolder({ "build.log": "0 errors\n", "notes.txt": "The build log can go.\n" });
const file = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
const path = (input: unknown) => join(folder, (input as { readonly name: string }).name);
const tools: Record<string, Tool> = {
  list_files: {
    description: "Lists the files.",
    inputSchema: { type: "object" },
    execute: () => readdirSync(folder),
  },
  read_file: {
    description: "Reads a file.",
    inputSchema: file,
    execute: (input) => readFileSync(path(input), "utf8"),
  },
  delete_file: {
    description: "Deletes a file.",
    inputSchema: file,
    execute(input) {
      rmSync(path(input));
      return "deleted";
    },
  },
};

page.title("Hooks around a loop of one's own");
page.blank();
page.line(0, "model", whoAnswers);
hooks.onTrace(({ event, entries }) => {
  for (const { hook, verdict, reason, approval } of entries)
    if (reason !== undefined)
      page.line(
        0,
        "hook",
        `${hook} on ${event}: ${[verdict, approval].filter(Boolean).join(", ")} (${reason})`,
      );
});
hooks.on("after_tool", ({ toolName, toolInput, toolResult }) => {
  page.line(0, "call", `${toolName} ${JSON.stringify(toolInput)} → ${JSON.stringify(toolResult)}`);
});

const call = (name: string, input: object = {}) => ({ toolCalls: [{ name, input }] });
/** Stands for a real model, behind HTTP all the same. */
const script = () =>
  openAiServer([
    call("list_files"),
    { error: Object.assign(new Error("overloaded"), { statusCode: 503 }) },
    call("delete_file", { name: "notes.txt" }),
    call("delete_file", { name: "build.log" }),
    "The folder is tidy.",
    call("read_file", { name: "notes.txt" }),
    "The folder is tidy, and I have read the notes.",
  ]);
const server = process.env.OPENAI_BASE_URL ? undefined : await script();

try {
  const text = await runAgent(
    {
      hooks,
      tools,
      baseURL: server?.url ?? process.env.OPENAI_BASE_URL ?? "",
      apiKey: process.env.OPENAI_API_KEY,
      model: process.env.OPENAI_MODEL || "gpt-4.1-mini",
      instructions: "You tidy up a folder. Work in small steps.",
      maxSteps: 20,
      // Stands for the person at the terminal.
      approve: () => ({ type: "approve" }),
    },
    "Tidy up.",
  );
  page.line(0, "agent", text);
} finally {
  await server?.close();
}
