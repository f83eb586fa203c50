import { compilePattern, type EventName } from "@tenterhook/engine";
import { eventRow, messageOf, nearestWord } from "@tenterhook/protocol";
import { eventsNamed } from "../event/resolve-event.ts";
import { UsageError } from "../usage-error.ts";

export const LANGUAGES = ["sh", "py", "js"] as const;

export type Language = (typeof LANGUAGES)[number];

/** A hook that is to be written. */
export interface HookPlan {
  readonly name: string;
  /** As it stands in the HOOK.md: an event, or an alias that stands for several. */
  readonly trigger: string;
  readonly event: EventName;
  readonly tool: string | undefined;
  readonly pattern: string | undefined;
  readonly language: Language;
  /** What its script does at first: refuse what the matcher found, refuse a forbidden word, or only watch. */
  readonly rule: "refuse" | "judge" | "watch";
}

export interface HookOptions {
  readonly name: string | undefined;
  readonly trigger: string | undefined;
  readonly tool: string | undefined;
  readonly pattern: string | undefined;
  readonly lang: string | undefined;
}

/** Makes a plan of what somebody asked for. Throws a `UsageError` for what cannot be a hook. */
export function planHook({ name, trigger, tool, pattern, lang }: HookOptions): HookPlan {
  if (trigger === undefined) {
    throw new UsageError(
      "when should it be asked?",
      "Add --trigger with an event, for example --trigger before_tool",
    );
  }
  const events = eventsNamed(trigger);
  const event = events[0] ?? "before_tool";
  const canRefuse = eventRow(event).block.action !== "record";
  if (!eventRow(event).tool && (tool !== undefined || pattern !== undefined)) {
    throw new UsageError(
      `${event} has no tool, so there is nothing to match.`,
      "Leave --tool and --pattern out.",
    );
  }
  checkPattern("--tool", tool);
  checkPattern("--pattern", pattern);
  return {
    name: checkName(name ?? defaultName(event, tool)),
    // An alias for one event is written as that event's own name.
    trigger: events.length === 1 ? event : trigger,
    event,
    tool,
    pattern,
    language: checkLanguage(lang),
    rule: canRefuse ? (pattern === undefined ? "judge" : "refuse") : "watch",
  };
}

function defaultName(event: EventName, tool: string | undefined): string {
  const words = `${event}-${tool ?? "hook"}`.toLowerCase();
  return words
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 64);
}

function checkName(name: string): string {
  if (/^[a-z0-9-]{1,64}$/.test(name)) return name;
  throw new UsageError(
    `"${name}" is no name for a hook.`,
    "Use 1 to 64 lowercase letters, digits and hyphens.",
  );
}

function checkPattern(option: string, pattern: string | undefined): void {
  if (pattern === undefined) return;
  try {
    compilePattern(pattern);
  } catch (error) {
    throw new UsageError(
      `${option} cannot be used: ${messageOf(error)}`,
      "Write a regular expression without look-around.",
    );
  }
}

function checkLanguage(lang: string | undefined): Language {
  if (lang === undefined) return process.platform === "win32" ? "js" : "sh";
  const known = LANGUAGES.find((language) => language === lang);
  if (known !== undefined) return known;
  const nearest = nearestWord(lang, LANGUAGES);
  throw new UsageError(
    `there is no template in "${lang}".`,
    nearest === undefined
      ? `There is one in ${LANGUAGES.join(", ")}; a hook may be in any language.`
      : `Did you mean ${nearest}?`,
  );
}
