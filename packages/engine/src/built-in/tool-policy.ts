import { ask, block, type OutcomeOf } from "@tenterhook/protocol";
import type { Context } from "../context/hook-context.ts";
import type { Hooks, Unregister } from "../hooks.ts";
import { badOption, checkOptions, checkWord } from "./check-options.ts";
import { parseRule, type Rule } from "./policy/rule.ts";
import { ToolCall } from "./policy/tool-call.ts";

/** Which tool calls pass, are refused, or need a person. */
export interface ToolPolicyOptions {
  /** Calls that pass. */
  readonly allow?: readonly string[];
  /** Calls that are refused; beats `ask` and `allow`. */
  readonly deny?: readonly string[];
  /** Calls that a person must approve; beats `allow`. */
  readonly ask?: readonly string[];
  /** What happens to a call that no rule is about. Default: `deny` when there is an `allow` list, else `proceed`. */
  readonly default?: "proceed" | "deny" | "ask";
  /** Default 0. */
  readonly priority?: number;
}

const NAME = "tool-policy";

/** Refuses tool calls, or requires approval, by rules over the tool and its argument: `Shell(rm *)`, `mcp__*`. */
export function toolPolicy(hooks: Hooks, options: ToolPolicyOptions): Unregister {
  checkOptions(NAME, options, ["allow", "deny", "ask", "default", "priority"]);
  checkWord(NAME, "default", options.default, ["proceed", "deny", "ask"]);
  const deny = readRules("deny", options.deny);
  const asking = readRules("ask", options.ask);
  const allow = readRules("allow", options.allow);
  // With a list of what may pass, the rest is not expected to pass.
  const otherwise = options.default ?? (allow.length > 0 ? "deny" : "proceed");
  const judge = ({ payload }: Context<"before_tool">): OutcomeOf<"before_tool"> | undefined => {
    const call = new ToolCall(payload);
    const denied = deny.find((rule) => call.isCoveredBy(rule));
    if (denied !== undefined) return block(`The tool policy denies ${denied.text}, and this call is one.`);
    const asked = asking.find((rule) => call.isCoveredBy(rule));
    if (asked !== undefined) return ask(`The tool policy wants a person to approve ${asked.text}.`);
    if (otherwise === "proceed" || call.fits(allow)) return undefined;
    const why = `No rule of the tool policy allows this call of ${payload.toolName}.${hint(call, allow)}`;
    return otherwise === "deny" ? block(why) : ask(why);
  };
  return hooks.on("before_tool", judge, { name: NAME, priority: options.priority });
}

function readRules(key: string, rules: unknown): readonly Rule[] {
  if (rules === undefined) return [];
  if (!Array.isArray(rules)) throw badOption(NAME, `${key} must be a list of rules.`);
  return rules.map(parseRule);
}

function hint({ control }: ToolCall, allow: readonly Rule[]): string {
  if (control === undefined || allow.length === 0) return "";
  return ` It is more than one plain command (${JSON.stringify(control)}): run one command at a time.`;
}
