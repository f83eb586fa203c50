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
  const unregisters = [...new Set(on)].flatMap((target) => REGISTER[target](hooks, guard));
  return () => {
    for (const unregister of unregisters) unregister();
  };
}

interface Guard {
  readonly redactor: Redactor;
  readonly blocks: boolean;
}

const NAMED = { name: NAME };

const REGISTER: Record<RedactionTarget, (hooks: Hooks, guard: Guard) => readonly Unregister[]> = {
  message: (hooks, guard) => [
    hooks.on("before_agent", (ctx) => check(guard, ctx, "message", ctx.message, "The message"), NAMED),
  ],
  llm_messages: (hooks, guard) => [
    hooks.on(
      "before_llm",
      (ctx) => check(guard, ctx, "messages", ctx.messages, "What the model would be sent"),
      NAMED,
    ),
  ],
  input: (hooks, guard) => [
    hooks.on(
      "before_tool",
      (ctx) => check(guard, ctx, "toolInput", ctx.toolInput, `The input of ${ctx.toolName}`),
      NAMED,
    ),
  ],
  tool_result: (hooks, guard) => [
    hooks.on(
      "after_tool",
      (ctx) => check(guard, ctx, "toolResult", ctx.toolResult, `The result of ${ctx.toolName}`),
      NAMED,
    ),
    hooks.on("after_tool_failure", (ctx) => cleanFailure(guard, ctx), NAMED),
  ],
  output: (hooks, guard) => [
    hooks.on("after_llm", (ctx) => check(guard, ctx, "text", ctx.text, "The model's answer"), NAMED),
  ],
};

/** Checks one field of an event, and refuses or replaces what it finds. */
function check<E extends EventName, F extends string & keyof Patch<E>>(
  { redactor, blocks }: Guard,
  context: Context<E>,
  field: F,
  value: unknown,
  what: string,
): Block | QuietProceed<Patch<E>> | undefined {
  const findings = new Map<string, number>();
  const redact = field === "messages" ? redactMessages : redactDeep;
  const clean = redact(value, redactor, findings);
  if (findings.size === 0) return undefined;
  // The reason names kinds and numbers only: the model, people and logs see it.
  const found = [...findings].map(([kind, count]) => (count === 1 ? kind : `${kind} (${count})`)).join(", ");
  if (blocks) return block(`${what} contains ${found}. Leave it out and try again.`);
  if (context.judging) {
    return block(`${what} contains ${found}, which a later hook brought in, too late to be replaced.`);
  }
  // One changed field of a patch; TypeScript does not follow a computed key into a mapped type.
  return proceed<Patch<E>>({ [field]: clean } as Patch<E>);
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
