import { jsonSchema } from "ai";
import type { Tool } from "./sdk-types.ts";

/** The tool: its input has the feedback, and its result is the feedback. */
export const gateTool: Tool = {
  description: "Keeps the agent running, with the feedback of a hook.",
  inputSchema: jsonSchema({ type: "object", properties: { feedback: { type: "string" } } }),
  execute: ({ feedback }: { feedback: string }) => feedback,
};
