import type { HookAct, ToolStatus } from "@tenterhook/agent";
import { ownField } from "@tenterhook/internal";
import { ACTIONS } from "@tenterhook/protocol";
import { formatVerdict } from "@tenterhook/protocol/internal";
import { oneLine } from "../terminal.ts";

/** `Shell ls -la`, `EditFile notes.txt, old_string: a, new_string: b`: a call on one line. */
export function callText(toolName: string, input: Readonly<Record<string, unknown>>): string {
  const [first, ...rest] = Object.entries(input);
  if (first === undefined) return oneLine(toolName);
  const more = rest.map(([key, value]) => `, ${key}: ${asText(value)}`);
  return oneLine(`${toolName} ${asText(first[1])}${more.join("")}`);
}

/** What a hook did, as a sentence without its subject; `about` is the object. A newer runner may report an action that is not known here. */
export function actText({ action, changed, notEnforced }: HookAct, about: string): string {
  if (notEnforced !== undefined) {
    const what = changed === undefined ? about : `${changed.join(", ")} of ${about}`;
    return `${formatVerdict(notEnforced)} ${what}`;
  }
  if (action === "go_on") return `changed ${changed?.join(", ") ?? "nothing"} of ${about}`;
  return ownField(ACTIONS, action)?.did(about) ?? `${action} ${about}`;
}

/** The failure of a hook, as a sentence. */
export function failureText({
  hook = "a hook",
  event,
  reason = "",
}: Pick<HookAct, "hook" | "reason"> & { readonly event: string | undefined }): string {
  // The message begins with hook and event, which are part of the sentence already.
  const message = reason.replace(/^hook "[^"]*" on \w+: /, "");
  const notRun = /^it (was not run: .*)$/s.exec(message)?.[1];
  return `${hook} ${notRun ?? `failed${event === undefined ? "" : ` on ${event}`}: ${message}`}`;
}

/** The signs of ended tool calls. */
export const STATUS_SIGNS: Readonly<Record<ToolStatus, string>> = {
  completed: "✓",
  skipped: "↷",
  failed: "✗",
  blocked: "⊘",
};

function asText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing");
}
