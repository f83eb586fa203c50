import type { SpokenEntry, ToolEntry } from "./transcript-entry.ts";

export const ROLE_LABELS: Readonly<Record<SpokenEntry["role"], string>> = {
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

/** A text as it is, anything else as JSON. */
export function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}
