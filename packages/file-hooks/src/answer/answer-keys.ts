/** What a decision can be, the mildest first. */
export const DECISIONS = ["allow", "ask", "deny", "stop"] as const;

export type DecisionWord = (typeof DECISIONS)[number];

/** What a key of an answer is for. `decision` keys are of answers only; `switch` keys occur in other JSON too. */
type KeyUse =
  | "decision"
  | "switch"
  | "nested"
  | "reason"
  | "not_by"
  | "modified_input"
  | "modified_result"
  | "additional_context"
  | "log";

/** Our own keys first, then those of other clients, without capitals, hyphens and underscores. */
const USES: Readonly<Record<string, KeyUse>> = {
  decision: "decision",
  reason: "reason",
  notby: "not_by",
  modifiedinput: "modified_input",
  modifiedresult: "modified_result",
  additionalcontext: "additional_context",
  log: "log",
  // Claude Code, Codex, Qwen Code, Kimi Code, Copilot.
  hookspecificoutput: "nested",
  permissiondecision: "decision",
  permissiondecisionreason: "reason",
  updatedinput: "modified_input",
  updatedtooloutput: "modified_result",
  systemmessage: "log",
  continue: "switch",
  stopreason: "reason",
  behavior: "switch",
  message: "reason",
  // Copilot.
  modifiedargs: "modified_input",
  // Cursor.
  permission: "switch",
  agentmessage: "reason",
  usermessage: "reason",
  // Crush.
  halt: "switch",
  // The hooks of a coordinator's blueprint.
  action: "switch",
  blockreason: "reason",
};

/** The keys as this project writes them; any other spelling is tolerated. */
export const OWN_KEYS: ReadonlySet<string> = new Set([
  "decision",
  "reason",
  "not_by",
  "modified_input",
  "modified_result",
  "additional_context",
  "log",
]);

const LONGEST_KEY = 64;

/** A key without what people vary: capitals, hyphens, underscores, spaces. */
export function bareKey(key: string): string {
  return key.length > LONGEST_KEY ? "" : key.toLowerCase().replaceAll(/[-_\s]/g, "");
}

export function useOf(key: string): KeyUse | undefined {
  const bare = bareKey(key);
  return Object.hasOwn(USES, bare) ? USES[bare] : undefined;
}

const WORDS: Readonly<Record<string, DecisionWord>> = {
  allow: "allow",
  approve: "allow",
  ask: "ask",
  deny: "deny",
  block: "deny",
  stop: "stop",
};

/** The values of a decision as this project writes them. */
export const OWN_WORDS: ReadonlySet<unknown> = new Set(Object.keys(WORDS));

/** The decision that a value states; `undefined` when it states none. */
export function wordOf(value: unknown): DecisionWord | undefined {
  if (typeof value !== "string" || value.length > LONGEST_KEY) return undefined;
  const bare = value.trim().toLowerCase();
  return Object.hasOwn(WORDS, bare) ? WORDS[bare] : undefined;
}

/** What a key that other JSON has too decides; mostly nothing. */
export function switchOf(key: string, value: unknown): DecisionWord | undefined {
  switch (bareKey(key)) {
    case "continue":
      return value === false || isWord(value, "false") ? "stop" : undefined;
    case "halt":
      return value === true || isWord(value, "true") ? "stop" : undefined;
    case "action":
      return wordOf(value) === "deny" ? "deny" : undefined;
    default: {
      const word = wordOf(value);
      return word === "stop" ? undefined : word;
    }
  }
}

function isWord(value: unknown, word: string): boolean {
  return typeof value === "string" && value.trim().toLowerCase() === word;
}
