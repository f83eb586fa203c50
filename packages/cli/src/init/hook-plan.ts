import type { EventName } from "@tenterhook/engine";
import { compilePattern } from "@tenterhook/engine/internal";
import { didYouMean, messageOf } from "@tenterhook/internal";
import { eventRow } from "@tenterhook/protocol";
import { eventsNamed } from "../event/resolve-event.ts";
import { newHookName } from "../new-hook-name.ts";
import { UsageError } from "../usage-error.ts";

/** The word that a script refuses until the author replaces the rule. */
export const FORBIDDEN = "FORBIDDEN";

export const LANGUAGES = ["sh", "py", "js"] as const;

export type Language = (typeof LANGUAGES)[number];

/** A hook to be written. */
export interface HookPlan {
  readonly name: string;
  /** The trigger of the HOOK.md: an event, or an alias of several events. */
  readonly trigger: string;
  readonly event: EventName;
  readonly tool: string | undefined;
  readonly pattern: string | undefined;
  /** `undefined`: no script, the matcher alone decides. */
  readonly language: Language | undefined;
  /** What it does: refuse what the matcher found, refuse a forbidden word, or only observe. */
  readonly rule: "refuse" | "check" | "observe";
  /** What it says when it refuses. */
  readonly reason: string;
}

export interface HookOptions {
  readonly name: string | undefined;
  readonly trigger: string | undefined;
  readonly tool: string | undefined;
  readonly pattern: string | undefined;
  readonly reason: string | undefined;
  readonly lang: string | undefined;
}

/** Plans a hook from options. Throws a `UsageError` for invalid options. */
export function planHook({ name, trigger, tool, pattern, reason, lang }: HookOptions): HookPlan {
  if (trigger === undefined) {
    throw new UsageError(
      "missing trigger.",
      "Add --trigger with an event, for example --trigger before_tool",
    );
  }
  const events = eventsNamed(trigger);
  const event = events[0] ?? "before_tool";
  const canRefuse = eventRow(event).block.action !== "record";
  if (!eventRow(event).tool && (tool !== undefined || pattern !== undefined)) {
    throw new UsageError(`${event} has no tool, so there is nothing to match.`, "Omit --tool and --pattern.");
  }
  checkPattern("--tool", tool);
  checkPattern("--pattern", pattern);
  const rule = canRefuse ? (pattern === undefined ? "check" : "refuse") : "observe";
  const needsScript = lang !== undefined || rule !== "refuse";
  if (reason !== undefined && needsScript)
    throw new UsageError(
      "--reason is for a hook that refuses by its pattern, without a script.",
      lang === undefined
        ? "Add --pattern, or omit --reason."
        : "Write the reason in the script, or omit --lang.",
    );
  return {
    name: newHookName(name ?? defaultName(event, tool)),
    // An alias of one event is replaced by the event's name.
    trigger: events.length === 1 ? event : trigger,
    event,
    tool,
    pattern,
    language: needsScript ? checkLanguage(lang) : undefined,
    rule,
    reason:
      rule === "check"
        ? `it must not contain ${FORBIDDEN}`
        : (checkReason(reason) ?? "this is not allowed here"),
  };
}

function defaultName(event: EventName, tool: string | undefined): string {
  const name = `${event}-${tool ?? "hook"}`.toLowerCase();
  return name
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64);
}

function checkPattern(option: string, pattern: string | undefined): void {
  if (pattern === undefined) return;
  try {
    compilePattern(pattern);
  } catch (error) {
    throw new UsageError(
      `${option} cannot be used: ${messageOf(error)}`,
      "Use a regular expression without look-around.",
    );
  }
}

/** One line, because the model and a person read it as one. */
function checkReason(reason: string | undefined): string | undefined {
  const line = reason?.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  if (line === "")
    throw new UsageError("--reason is empty.", "Write what the model and the person should read.");
  return line;
}

function checkLanguage(lang: string | undefined): Language {
  if (lang === undefined) return process.platform === "win32" ? "js" : "sh";
  const known = LANGUAGES.find((language) => language === lang);
  if (known !== undefined) return known;
  const all = `Templates: ${LANGUAGES.join(", ")}; a hook may be in any language.`;
  throw new UsageError(`unknown language "${lang}".`, didYouMean(lang, LANGUAGES, all));
}
