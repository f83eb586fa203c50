import { isRecord, messageOf, orAborted } from "@tenterhook/internal";
import type { HookInput, HookMatcher, UserCallback } from "./sdk-types.ts";

/** What the user's own callbacks of one event answered together. */
export interface UserAnswer {
  /** The strictest of them: a refusal wins over a question, a question over an approval. */
  readonly decision: "allow" | "ask" | "deny" | undefined;
  readonly reason: string | undefined;
  readonly updatedInput: Record<string, unknown> | undefined;
  /** Whether there is an `updatedToolOutput`, and which. */
  readonly output: { readonly value: unknown } | undefined;
  readonly context: readonly string[];
  /** The reason, if one of them ends the agent. */
  readonly stop: string | undefined;
}

/**
 * Calls the user's own callbacks of `PreToolUse` or `PostToolUse` that match, as Claude Code would: together, about the same input.
 * They are called before the hooks, because of two callbacks that change a value the slower one would win: hooks must check
 * the value that is used.
 */
export async function callUserCallbacks(
  matchers: readonly HookMatcher<UserCallback>[],
  input: HookInput,
  toolUseId: string | undefined,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<UserAnswer> {
  const matching = matchers.filter(({ matcher }) => matchesTool(matcher, input.tool_name ?? ""));
  const calls = matching.flatMap((entry) =>
    entry.hooks.map((callback) => callOne(callback, entry, input, toolUseId, signal, warn)),
  );
  return mergeAnswers(await Promise.all(calls));
}

async function callOne(
  callback: UserCallback,
  { timeout, onFailure }: HookMatcher<UserCallback>,
  input: HookInput,
  toolUseId: string | undefined,
  signal: AbortSignal,
  warn: (message: string) => void,
): Promise<unknown> {
  const expired = timeout === undefined ? undefined : AbortSignal.timeout(timeout * 1000);
  const combined = expired === undefined ? signal : AbortSignal.any([signal, expired]);
  try {
    // The SDK types the input by its event, which is the one that this callback was registered for.
    const answering = callback(input as never, toolUseId, { signal: combined });
    return await (expired === undefined ? answering : orAborted(Promise.resolve(answering), expired));
  } catch (error) {
    const isExpired = expired?.aborted === true && error === expired.reason;
    const why = isExpired ? `it took longer than ${timeout} s` : messageOf(error);
    const problem = `a callback of ${input.hook_event_name} failed: ${why}`;
    if (onFailure === "block" || isExpired) return denial(problem);
    warn(problem);
    return {};
  }
}

function denial(reason: string): object {
  return { hookSpecificOutput: { permissionDecision: "deny", permissionDecisionReason: reason } };
}

const STRICTNESS = { none: 0, allow: 1, ask: 2, deny: 3 } as const;

function mergeAnswers(answers: readonly unknown[]): UserAnswer {
  let decision: UserAnswer["decision"];
  let reason: string | undefined;
  let updatedInput: UserAnswer["updatedInput"];
  let output: UserAnswer["output"];
  let stop: string | undefined;
  const context: string[] = [];
  for (const answer of answers.filter(isRecord)) {
    const specific = isRecord(answer.hookSpecificOutput) ? answer.hookSpecificOutput : {};
    const decided = readDecision(answer, specific);
    if (STRICTNESS[decided ?? "none"] > STRICTNESS[decision ?? "none"]) {
      decision = decided;
      const given = specific.permissionDecisionReason ?? answer.reason;
      reason = typeof given === "string" ? given : undefined;
    }
    if (isRecord(specific.updatedInput)) updatedInput = specific.updatedInput;
    const value = specific.updatedToolOutput ?? specific.updatedMCPToolOutput;
    if (value !== undefined) output = { value };
    if (typeof specific.additionalContext === "string") context.push(specific.additionalContext);
    if (answer.continue === false) stop = String(answer.stopReason ?? "a callback stopped the agent");
  }
  return { decision, reason, updatedInput, output, context, stop };
}

function readDecision(
  { decision }: Record<string, unknown>,
  { permissionDecision: permission }: Record<string, unknown>,
): UserAnswer["decision"] {
  if (permission === "allow" || permission === "ask" || permission === "deny") return permission;
  if (decision === "block") return "deny";
  return decision === "approve" ? "allow" : undefined;
}

/** Claude Code's own rule: nothing and `*` match all, a list of names matches by equality, and the rest is a regular expression. */
export function matchesTool(matcher: string | undefined, toolName: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true;
  if (/^[\w|, -]+$/.test(matcher)) {
    const names = matcher.split(/[|,]/).map((name) => name.trim());
    return names.includes(toolName) || (toolName === "Agent" && names.includes("Task"));
  }
  try {
    return new RegExp(matcher).test(toolName);
  } catch {
    return false;
  }
}
