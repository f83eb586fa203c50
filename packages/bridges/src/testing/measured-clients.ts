import type { NativeAnswer } from "../call/encode/encode.ts";

/** What a real client was measured to do with an answer. */
export interface Effect {
  /** The call ran as it was, did not run, or waits for a person. At a stop: the agent was kept running (`blocked`). */
  readonly action: "ran" | "blocked" | "asked";
  /** The input that is used in place of the call's own. */
  readonly input?: unknown;
  /** The person is not asked although they would have been. */
  readonly approved?: boolean;
  /** Text that the model gets. */
  readonly model?: string;
  /** The tool's result does not reach the model. */
  readonly withheld?: boolean;
}

type Json = Readonly<Record<string, unknown>>;
type Moment = "tool" | "after" | "prompt" | "stop" | "session" | "other";

/** Written from the measurements alone, not from the bridge's data about clients: the two must agree. */
export const MEASURED: Readonly<
  Record<string, (moment: Moment, answer: NativeAnswer, event: string) => Effect>
> = {
  claude: (moment, answer) => {
    if (answer.exit === 2) return exitTwo(moment, answer, true);
    return claudeJson(moment, json(answer.stdout), answer, ["tool", "prompt", "after", "session"]);
  },
  codex: (moment, answer) => {
    if (answer.exit === 2) return exitTwo(moment, answer, false);
    const output = json(answer.stdout);
    if (output === undefined || !isStrict(output, moment)) return RAN;
    const own = part(output, "hookSpecificOutput");
    if (own.permissionDecision === "ask") return RAN;
    if (own.permissionDecision === "deny" && !own.permissionDecisionReason) return RAN;
    if (own.updatedInput !== undefined && own.permissionDecision !== "allow") return RAN;
    return claudeJson(moment, output, answer, ["tool", "prompt", "after", "session"]);
  },
  gemini: (moment, answer) => {
    const text = answer.stdout.trim() || answer.stderr.trim();
    const output = json(text);
    if (output === undefined) return text !== "" && answer.exit > 1 ? blockedWith(moment, text, true) : RAN;
    if (output.decision === "deny" || output.decision === "block")
      return moment === "session" ? RAN : blockedWith(moment, String(output.reason ?? ""), true);
    const own = part(output, "hookSpecificOutput");
    return {
      action: "ran",
      ...(moment === "tool" && own.tool_input !== undefined && { input: own.tool_input }),
      ...(moment !== "tool" && moment !== "stop" && context(own.additionalContext)),
    };
  },
  qwen: (moment, answer) => {
    if (answer.exit === 2) return moment === "after" ? RAN : exitTwo(moment, answer, false);
    const {
      input: _,
      approved: __,
      ...effect
    } = claudeJson(moment, json(answer.stdout), answer, ["prompt", "after", "session"]);
    return effect;
  },
  copilot: (moment, answer, event) => {
    const isPascal = /^[A-Z]/.test(event);
    const output = json(withoutProgress(answer.stdout)) ?? {};
    const own = part(output, "hookSpecificOutput");
    const model = moment === "stop" ? {} : context(output.additionalContext);
    if (moment === "tool") {
      const reason = String(output.permissionDecisionReason ?? "");
      if (answer.exit !== 0) return { action: "blocked", ...context(reason) };
      if (output.permissionDecision === "deny") return { action: "blocked", ...context(reason) };
      if (isPascal && own.permissionDecision === "deny") return { action: "blocked" };
      if (!isPascal && output.permissionDecision === "allow")
        return {
          action: "ran",
          approved: true,
          ...(output.modifiedArgs !== undefined && { input: output.modifiedArgs }),
        };
      if (isPascal && own.permissionDecision === "allow")
        return {
          action: "ran",
          approved: true,
          ...(own.updatedInput !== undefined && { input: own.updatedInput }),
        };
    }
    const isBlock = answer.exit === 0 && output.decision === "block";
    if (moment === "stop" && isBlock) return { action: "blocked", ...context(output.reason) };
    if (moment === "prompt" && isBlock && isPascal) return { action: "blocked" };
    return { action: "ran", ...model };
  },
  kimi: (moment, answer) => {
    if (moment === "after" || moment === "session" || moment === "other") return RAN;
    if (answer.exit === 2) return { action: "blocked", ...context(answer.stderr.trim()) };
    if (moment === "prompt") return { action: "ran", ...context(answer.stdout) };
    const own = part(json(answer.stdout) ?? {}, "hookSpecificOutput");
    return own.permissionDecision === "deny" ? { action: "blocked" } : RAN;
  },
  droid: (moment, answer) => {
    if (moment === "prompt") return RAN;
    if (answer.exit === 2) return exitTwo(moment, answer, true);
    const output = json(answer.stdout);
    // The decision "block" that its documentation names is ignored before a tool.
    if (moment === "tool" && output?.decision === "block") return RAN;
    return claudeJson(moment, output, answer, ["after", "session"]);
  },
  cline: (moment, answer) => {
    const output = json(answer.stdout) ?? {};
    if (moment !== "tool" && moment !== "after") return RAN;
    if (moment === "tool" && output.cancel === true) return { action: "blocked" };
    return {
      action: "ran",
      ...(moment === "tool" && output.overrideInput !== undefined && { input: output.overrideInput }),
      ...context(output.contextModification),
    };
  },
  // What our own plugin does with an answer.
  opencode: (moment, answer) => {
    const output = json(answer.stdout) ?? {};
    if (moment === "stop" || moment === "other") return RAN;
    if ((moment === "tool" || moment === "prompt") && typeof output.block === "string")
      return { action: "blocked", ...context(output.block) };
    if (moment === "after" && typeof output.result === "string")
      return { action: "ran", withheld: true, ...context(output.result) };
    return {
      action: "ran",
      ...(moment === "tool" && output.args !== undefined && { input: output.args }),
      ...context(output.context),
    };
  },
};

const RAN: Effect = { action: "ran" };

/** Exit 2 refuses before a tool, keeps the agent running at a stop, and gives the model the reason afterwards. Some clients require a reason. */
function exitTwo(moment: Moment, { stderr }: NativeAnswer, isSilentEnough: boolean): Effect {
  if (stderr.trim() === "" && !isSilentEnough) return RAN;
  if (moment === "session" || moment === "other") return RAN;
  return blockedWith(moment, stderr.trim(), false);
}

function blockedWith(moment: Moment, reason: string, withheld: boolean): Effect {
  if (moment === "after") return { action: "ran", ...context(reason), ...(withheld && { withheld }) };
  return moment === "other" ? RAN : { action: "blocked", ...context(reason) };
}

function claudeJson(
  moment: Moment,
  output: Json | undefined,
  { exit }: NativeAnswer,
  contexts: readonly Moment[],
): Effect {
  if (output === undefined || exit !== 0) return RAN;
  const own = part(output, "hookSpecificOutput");
  const reason = String(own.permissionDecisionReason ?? output.reason ?? "");
  if (moment === "tool") {
    const input = own.updatedInput === undefined ? {} : { input: own.updatedInput };
    if (own.permissionDecision === "deny") return { action: "blocked", ...context(reason) };
    if (own.permissionDecision === "ask") return { action: "asked", ...input };
    if (own.permissionDecision === "allow") return { action: "ran", approved: true, ...input };
  }
  if (output.decision === "block" && (moment === "stop" || moment === "prompt"))
    return { action: "blocked", ...context(reason) };
  return { action: "ran", ...(contexts.includes(moment) && context(own.additionalContext)) };
}

const UNIVERSAL = [
  "continue",
  "stopReason",
  "suppressOutput",
  "systemMessage",
  "decision",
  "reason",
  "hookSpecificOutput",
];
const SPECIFIC = [
  "hookEventName",
  "permissionDecision",
  "permissionDecisionReason",
  "updatedInput",
  "additionalContext",
];

function isStrict(output: Json, moment: Moment): boolean {
  const refused = moment === "tool" ? ["continue", "stopReason", "suppressOutput"] : [];
  return (
    Object.keys(output).every((key) => UNIVERSAL.includes(key) && !refused.includes(key)) &&
    Object.keys(part(output, "hookSpecificOutput")).every((key) => SPECIFIC.includes(key))
  );
}

/** Lines that Copilot shows as progress are no part of the answer. */
function withoutProgress(stdout: string): string {
  return stdout
    .split("\n")
    .filter((line) => json(line)?.type !== "progress")
    .join("\n");
}

function json(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function part(output: Json, key: string): Json {
  const value = output[key];
  return typeof value === "object" && value !== null ? (value as Json) : {};
}

function context(text: unknown): { readonly model?: string } {
  return typeof text === "string" && text !== "" ? { model: text } : {};
}
