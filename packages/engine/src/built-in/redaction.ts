import { type Block, block, type EventName, type Patch, proceed } from "@tenterhook/protocol";
import type { QuietProceed } from "@tenterhook/protocol/internal";
import type { Context } from "../context/hook-context.ts";
import type { Hooks, Unregister } from "../hooks.ts";
import { badOption, checkOptions, checkWord } from "./check-options.ts";
import { redactDeep, redactMessages } from "./redact/redact.ts";
import { REDACT_OPTIONS, type RedactOptions, Redactor } from "./redact/redactor.ts";

/** Where to look: the user's message, what the model is sent, tool inputs, tool results, the model's text. */
export type RedactionTarget = "message" | "llm_messages" | "input" | "tool_result" | "output";

/** What is redacted, and where. */
export interface RedactionOptions extends Omit<RedactOptions, "mode"> {
  /** Default: everywhere. */
  readonly on?: readonly RedactionTarget[];
  /** `block` refuses; `mask` and `hash` let pass with what was found replaced. */
  readonly mode: "block" | "mask" | "hash";
}

const NAME = "redaction";
const TARGETS = ["message", "llm_messages", "input", "tool_result", "output"] as const;

/** Keeps personal data and secrets from passing between the user, the model and the tools. */
export function redaction(hooks: Hooks, options: RedactionOptions): Unregister {
  checkOptions(NAME, options, [...REDACT_OPTIONS, "on"]);
  const { on = TARGETS, mode, ...rest } = options;
  checkWord(NAME, "mode", mode ?? "", ["block", "mask", "hash"]);
  if (on.length === 0) throw badOption(NAME, "on names no target.", `The targets are ${TARGETS.join(", ")}.`);
  for (const target of on) checkWord(NAME, "each of on", target, TARGETS);
  const redactor = new Redactor({ ...rest, mode: mode === "hash" ? "hash" : "mask" });
  const guard: Guard = { redactor, blocks: mode === "block" };
  const unregisters = [...new Set(on)].map((target) => {
    const [event, field, title] = FIELDS[target];
    return hooks.on([event], (context) => check(guard, context, field, title), { name: NAME });
  });
  if (on.includes("tool_result")) {
    unregisters.push(
      hooks.on("after_tool_failure", (context) => cleanFailure(guard, context), { name: NAME }),
    );
  }
  return () => {
    for (const unregister of unregisters) unregister();
  };
}

interface Guard {
  readonly redactor: Redactor;
  readonly blocks: boolean;
}

/** Where each target is: the event, its field, and how a reason names it. */
const FIELDS: Readonly<Record<RedactionTarget, readonly [EventName, field: string, title: string]>> = {
  message: ["before_agent", "message", "The message"],
  llm_messages: ["before_llm", "messages", "What the model would be sent"],
  input: ["before_tool", "toolInput", "The input"],
  tool_result: ["after_tool", "toolResult", "The result"],
  output: ["after_llm", "text", "The model's answer"],
};

/** Checks one field of an event, and refuses or replaces what it finds. */
function check(
  { redactor, blocks }: Guard,
  context: Context<EventName>,
  field: string,
  title: string,
): Block | QuietProceed<never> | undefined {
  // Each event has the field that the table names, and may change it, which TypeScript cannot follow.
  const { [field]: value, toolName } = context as unknown as Readonly<Record<string, unknown>>;
  const findings = new Map<string, number>();
  const redact = field === "messages" ? redactMessages : redactDeep;
  const clean = redact(value, redactor, findings);
  if (findings.size === 0) return undefined;
  // The reason names kinds and numbers only: the model, people and logs see it.
  const found = [...findings].map(([kind, count]) => (count === 1 ? kind : `${kind} (${count})`)).join(", ");
  const what = `${title}${toolName === undefined ? "" : ` of ${toolName}`} contains ${found}`;
  if (blocks) return block(`${what}. Leave it out and try again.`);
  if (context.judging) return block(`${what}, which a later hook brought in, too late to be replaced.`);
  return proceed({ [field]: clean } as never);
}

/** A block after a failed tool withholds nothing, it is only recorded. So here every mode replaces. */
function cleanFailure(
  { redactor }: Guard,
  { toolResult, error }: Context<"after_tool_failure">,
): QuietProceed<Patch<"after_tool_failure">> | undefined {
  const findings = new Map<string, number>();
  // The error cannot be changed here. Where it is all there is, its message, cleaned, becomes the result.
  const clean = redactDeep(toolResult ?? error.message, redactor, findings);
  return findings.size === 0 ? undefined : proceed({ toolResult: clean });
}
