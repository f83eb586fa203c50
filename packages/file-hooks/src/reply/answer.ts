import { NOT_BY } from "@tenterhook/protocol/internal";
import { type JsonNode, JsonObject } from "./find-json.ts";

/** What a hook can decide, and how strict that is. */
const STRICTNESS = { allow: 0, ask: 1, deny: 2, stop: 3 } as const;

export type DecisionWord = keyof typeof STRICTNESS;

/** What is decided, if anything, and why. */
export interface Decided {
  decision: DecisionWord | undefined;
  reason: JsonNode | undefined;
  /** Who may not decide, where a person is asked. */
  notBy: string | undefined;
}

/** Takes another's refusal, and returns true, if it is stricter. Who may not decide is taken from both, whichever of them decides. */
export function takeRefusal(own: Decided, other: Readonly<Decided>): boolean {
  own.notBy = stricterNotBy(own.notBy, other.notBy);
  if (STRICTNESS[other.decision ?? "allow"] <= STRICTNESS[own.decision ?? "allow"]) return false;
  own.decision = other.decision;
  own.reason = other.reason;
  return true;
}

/** What an answer asks for besides, by our own names. */
export type Extra = "modified_input" | "modified_result" | "additional_context" | "log";

/** What a key of an answer is for. `decision` keys are of answers only; `switch` keys occur in other JSON too. */
type KeyUse = "decision" | "switch" | "nested" | "reason" | "not_by" | Extra;

/** Our own keys first, then those of other clients, without capitals, hyphens and underscores. */
const USES = new Map<string, KeyUse>(
  Object.entries<KeyUse>({
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
  }),
);

const WORDS = new Map<unknown, DecisionWord>(
  Object.entries<DecisionWord>({
    allow: "allow",
    approve: "allow",
    ask: "ask",
    deny: "deny",
    block: "deny",
    stop: "stop",
  }),
);

/** The keys of a reason, the most specific first. */
const REASONS = [
  "reason",
  "permissiondecisionreason",
  "stopreason",
  "blockreason",
  "message",
  "agentmessage",
  "usermessage",
];

/** No key and no decision is longer. */
const LONGEST_WORD = 64;

/** What an object decides, in our form or in another client's, and what of it was understood only by tolerance. */
export class Answer implements Decided {
  /** It has a key of an answer. */
  isAnswer = false;
  /** The strictest of its decisions. */
  decision: DecisionWord | undefined;
  reason: JsonNode | undefined;
  notBy: string | undefined;
  /** Why it cannot be read. */
  unreadable: string | undefined;
  readonly extras = new Map<Extra, JsonNode>();
  readonly notes: string[] = [];
  readonly #reasons = new Map<string, JsonNode>();
  #decisions = 0;
  #hasOwnKey = false;
  #hasOther = false;

  constructor(object: JsonObject) {
    this.#read(object, "");
    const order = this.decision === "stop" ? ["stopreason", ...REASONS] : REASONS;
    const key = order.find((each) => this.#reasons.has(each));
    this.reason = key === undefined ? undefined : this.#reasons.get(key);
    if (this.decision !== "ask") this.notBy = undefined;
    if (this.#decisions > 1)
      this.notes.push(`of its ${this.#decisions} decisions the strictest counts, "${this.decision}"`);
  }

  /** It is an answer wherever it stands: it has a decision's own key, or a reason and nothing that answers do not have. */
  get isCertain(): boolean {
    return this.isAnswer && (this.#hasOwnKey || (this.#reasons.size > 0 && !this.#hasOther));
  }

  /** Adds what objects and texts inside it decide: text around a hook's answer must not be able to wrap it away. */
  addInside(object: JsonObject, withChanges: boolean): this {
    for (const part of partsOf(object, withChanges)) {
      if (typeof part === "string" && !this.isAnswer && mentionsRefusal(part))
        this.unreadable ??= "it printed an answer as text inside JSON";
      if (part === object || !(part instanceof JsonObject)) continue;
      const inner = new Answer(part);
      this.unreadable ??= inner.unreadable;
      if (inner.isCertain && takeRefusal(this, inner))
        this.notes.push("its decision is inside another object; print it at the top");
    }
    return this;
  }

  #read(object: JsonObject, path: string): void {
    for (const [key, value] of object.entries) {
      const use = USES.get(bareKey(key));
      const where = `${path}${key}`;
      if (use === undefined) this.#hasOther = true;
      else if (use === "decision" || use === "nested") {
        this.isAnswer = true;
        if (use === "decision") this.#hasOwnKey = true;
        if (value !== null) this.#readDecision(use, where, value);
      } else if (use === "switch") this.#readSwitch(where, key, value);
      else if (use === "not_by") this.notBy = stricterNotBy(this.notBy, readNotBy(value));
      else if (value !== null) {
        if (use === "reason") this.#reasons.set(bareKey(key), value);
        else this.#readExtra(use, where, value);
      }
    }
  }

  #readDecision(use: "decision" | "nested", where: string, value: JsonNode): void {
    // The answer to a permission request is an object of its own.
    const isNested = value instanceof JsonObject && (use === "nested" || hasBehavior(value));
    const word = use === "decision" ? wordOf(value) : undefined;
    if (isNested) this.#read(value, `${where}.`);
    else if (word === undefined)
      this.unreadable ??= `its decision is ${formatValue(plainValue(value))}; it can be allow, deny, ask or stop`;
    else {
      this.#noteSpelling(where, "decision");
      if (!WORDS.has(value)) this.notes.push(`its decision is "${value}"; write "${word}"`);
      this.#decide(word);
    }
  }

  #readSwitch(where: string, key: string, value: JsonNode): void {
    const word = switchOf(bareKey(key), value);
    if (word === undefined) return;
    this.isAnswer = true;
    this.notes.push(`"${where}" is another client's form; write "decision": "${word}"`);
    this.#decide(word);
  }

  #readExtra(extra: Extra, where: string, value: JsonNode): void {
    // Much output has a `log` key: it does not make the rest an answer.
    if (extra !== "log") {
      this.isAnswer = true;
      this.#noteSpelling(where, extra);
    }
    this.extras.set(extra, value);
  }

  #decide(word: DecisionWord): void {
    this.#decisions++;
    if (this.decision === undefined || STRICTNESS[word] > STRICTNESS[this.decision]) this.decision = word;
  }

  #noteSpelling(where: string, own: string): void {
    if (where === own) return;
    this.notes.push(
      bareKey(where) === bareKey(own)
        ? `"${where}" is read as "${own}"`
        : `"${where}" is another client's form; write "${own}"`,
    );
  }
}

/** A key without what people vary: capitals, hyphens, underscores, spaces. */
function bareKey(key: string): string {
  return key.length > LONGEST_WORD ? "" : key.toLowerCase().replaceAll(/[-_\s]/g, "");
}

/** The decision that a value states. */
function wordOf(value: JsonNode): DecisionWord | undefined {
  if (typeof value !== "string" || value.length > LONGEST_WORD) return undefined;
  return WORDS.get(value.trim().toLowerCase());
}

/** What a key that other JSON has too decides: it counts only when it refuses. */
function switchOf(key: string, value: JsonNode): DecisionWord | undefined {
  if (key === "continue" || key === "halt") {
    const stops = key === "halt";
    const isStop =
      value === stops || (typeof value === "string" && value.trim().toLowerCase() === `${stops}`);
    return isStop ? "stop" : undefined;
  }
  const word = wordOf(value);
  return word === "deny" || (word === "ask" && key !== "action") ? word : undefined;
}

function hasBehavior(object: JsonObject): boolean {
  return object.entries.some(([key]) => bareKey(key) === "behavior");
}

/** Who may not decide: `requester`, or what was written instead, which is not known. */
function readNotBy(node: JsonNode): string | undefined {
  if (node === null) return undefined;
  if (typeof node !== "string") return formatValue(plainValue(node));
  return node.trim().toLowerCase() === NOT_BY ? NOT_BY : node.slice(0, LONGEST_VALUE);
}

/** The stricter of two. A value that is not known is the strictest, because what cannot be enforced is refused. */
function stricterNotBy(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || one === NOT_BY ? (other ?? one) : one;
}

const LONGEST_VALUE = 80;

/** A value for a message, shortened. */
export function formatValue(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, LONGEST_VALUE);
}

/** Everything inside a value, itself included; what is inside a change is data, and only of interest if it is not taken. */
function* partsOf(value: JsonNode, withChanges: boolean): Generator<JsonNode> {
  const rest: JsonNode[] = [value];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    yield next;
    if (Array.isArray(next)) for (const item of next) rest.push(item);
    if (next instanceof JsonObject)
      for (const [key, part] of next.entries)
        if (withChanges || !USES.get(bareKey(key))?.startsWith("modified")) rest.push(part);
  }
}

/** A value as `JSON.parse` would give it: of two entries with one key the last counts. */
export function plainValue(node: JsonNode): unknown {
  if (Array.isArray(node)) return node.map(plainValue);
  if (!(node instanceof JsonObject)) return node;
  return Object.fromEntries(node.entries.map(([key, value]) => [key, plainValue(value)]));
}

/**
 * Whether a text looks like an answer, though no JSON could be read from it: a key of an answer stands where a key stands.
 * In quotes of any kind that is enough for keys that only answers have. Bare keys (a JavaScript dump, YAML) and keys that
 * other output has too need a value that refuses beside them. Prose, test output and dumps without one do not match.
 */
export function readMention(text: string): "answer" | "refusal" | undefined {
  const plain = unescaped(text);
  if (!KEY.test(plain)) return undefined;
  if ([QUOTED_REFUSAL, IN_BRACES, ALONE].some((pattern) => pattern.test(plain))) return "refusal";
  return QUOTED.test(plain) ? "answer" : undefined;
}

/** Whether a text has a key of an answer in quotes, and beside it a value that refuses. */
function mentionsRefusal(text: string): boolean {
  return QUOTED_REFUSAL.test(unescaped(text));
}

/** With letters that are written as escapes (`\u0064`) as letters. */
function unescaped(text: string): string {
  if (!text.includes("\\u00")) return text;
  return text.replaceAll(/\\u00([2-7][0-9a-fA-F])/g, (_escape, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
}

// Every repetition is bounded, and each pattern begins with something rare, so that matching takes linear time.
const QUOTE = "\\\\{0,8}[\"'`\u201c\u201d\u2018\u2019]";
const GAP = String.raw`\s{0,40}`;
const IS = `${GAP}(?:${QUOTE})?${GAP}[:=]${GAP}(?:${QUOTE})?`;
const DECISION = "(?:permission[-_]?)?decision";
const REFUSES = `${GAP}[:=]${GAP}(?:${QUOTE})?${GAP}(?:deny|block|ask|stop)\\b`;
const SWITCH = `(?:continue${IS}false|halt${IS}true|(?:permission|behavior)${IS}(?:deny|block|ask)|action${IS}(?:deny|block))\\b`;

/** Cheap, and most output has none of it. */
const KEY = /decision|specific|modified|updated|additional|continue|halt|permission|behavior|action/i;
/** `"decision":`, `'decision':`, `\"decision\":`. */
const QUOTED = new RegExp(
  `${QUOTE}${GAP}(?:${DECISION}|hook[-_]?specific[-_]?output|modified[-_]?(?:input|result|args)|updated[-_]?input|additional[-_]?context)${GAP}${QUOTE}${GAP}[:=]`,
  "i",
);
/** `"decision": "deny"`, `"continue": false`. */
const QUOTED_REFUSAL = new RegExp(`${QUOTE}${GAP}(?:${DECISION}${GAP}${QUOTE}${REFUSES}|${SWITCH})`, "i");
/** `{ decision: 'deny' }`. */
const IN_BRACES = new RegExp(`[{,]${GAP}(?:${DECISION}${REFUSES}|${SWITCH})`, "i");
/** A line with nothing but `decision: deny`. */
const ALONE = new RegExp(
  `^[ \\t-]{0,40}${DECISION}[ \\t]{0,40}[:=][ \\t]{0,40}(?:${QUOTE})?(?:deny|block|ask|stop)(?:${QUOTE})?[ \\t]{0,40},?\\r?$`,
  "im",
);
