import { isRecord } from "@tenterhook/internal";
import type { TextEntry, ToolEntry } from "./transcript-entry.ts";

export const ROLE_LABELS: Readonly<Record<TextEntry["role"], string>> = {
  user: "User",
  agent: "Agent",
  reasoning: "Reasoning",
  program: "Program",
  hooks: "Hooks on the runner",
  refusal: "Refused or failed",
  note: "Note",
};

/** `Shell refused by no-rm`, `Read failed`. */
export function toolTitle({ name, status, refusedBy }: ToolEntry): string {
  switch (status) {
    case "blocked":
      return refusedBy === undefined ? `${name} refused` : `${name} refused by ${refusedBy}`;
    case "failed":
    case "skipped":
      return `${name} ${status}`;
    default:
      return name;
  }
}

/** A text as it is, anything else as JSON; an object with texts of several lines as those texts, so that they can be read. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (!isRecord(value) || !Object.values(value).some(isLong)) return JSON.stringify(value, null, 2);
  return Object.entries(value)
    .filter(([, each]) => each !== "")
    .map(([name, each]) => (isLong(each) ? `${name}:\n${each}` : `${name}: ${JSON.stringify(each)}`))
    .join("\n");
}

const isLong = (value: unknown): value is string => typeof value === "string" && value.trim().includes("\n");
