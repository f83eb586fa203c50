import {
  bareKey,
  DECISIONS,
  type DecisionWord,
  OWN_KEYS,
  OWN_WORDS,
  switchOf,
  useOf,
  wordOf,
} from "./answer-keys.ts";
import { type JsonNode, JsonObject } from "./find-json.ts";
import { plainValue } from "./json-parts.ts";
import { readNotBy, stricterNotBy, type WrittenNotBy } from "./not-by.ts";

/** What an object decides, and what of it was understood only by tolerance. */
export interface Answer {
  /** It has a key of an answer. */
  readonly isAnswer: boolean;
  /** It is an answer wherever it stands: it has a decision's own key, or a reason and nothing that answers do not have. */
  readonly isCertain: boolean;
  /** The strictest decision; absent when it has none. */
  readonly decision?: DecisionWord;
  readonly reason?: JsonNode;
  /** Who may not decide; only with the decision `ask`. */
  readonly notBy?: WrittenNotBy;
  /** A decision that cannot be read, as it was written. */
  readonly unreadable?: JsonNode;
  /** What it asks for besides, by our own names. */
  readonly extras: ReadonlyMap<Extra, JsonNode>;
  readonly tolerated: readonly string[];
}

export type Extra = "modified_input" | "modified_result" | "additional_context" | "log";

/** Reads an object as an answer, in our form or in another client's. */
export function answerOf(object: JsonObject): Answer {
  const reading = new Reading();
  reading.read(object, "");
  return reading.answer();
}

/** The stricter of two decisions. */
export function stricter(one: DecisionWord | undefined, other: DecisionWord | undefined) {
  return rank(one) >= rank(other) ? one : other;
}

export function rank(decision: DecisionWord | undefined): number {
  return decision === undefined ? -1 : DECISIONS.indexOf(decision);
}

class Reading {
  #isAnswer = false;
  #hasOwnKey = false;
  #hasOther = false;
  #decision: DecisionWord | undefined;
  #unreadable: JsonNode | undefined;
  #notBy: WrittenNotBy | undefined;
  readonly #reasons = new Map<string, JsonNode>();
  readonly #extras = new Map<Extra, JsonNode>();
  readonly #tolerated: string[] = [];
  #decisions = 0;

  read(object: JsonObject, path: string): void {
    for (const [key, value] of object.entries) {
      const use = useOf(key);
      const where = `${path}${key}`;
      switch (use) {
        case undefined:
          this.#hasOther = true;
          break;
        case "decision":
          this.#readDecision(where, value);
          break;
        case "switch":
          this.#readSwitch(where, key, value);
          break;
        case "nested":
          this.#isAnswer = true;
          if (value instanceof JsonObject) this.read(value, `${where}.`);
          else if (value !== null) this.#unreadable = value;
          break;
        case "reason":
          if (value !== null) this.#reasons.set(bareKey(key), value);
          break;
        case "not_by":
          this.#notBy = stricterNotBy(this.#notBy, readNotBy(plainValue(value)));
          break;
        default:
          if (value === null) break;
          // Much output has a `log` key: it does not make the rest an answer.
          if (use !== "log") {
            this.#isAnswer = true;
            this.#spelled(where, use);
          }
          this.#extras.set(use, value);
      }
    }
  }

  answer(): Answer {
    if (this.#decisions > 1 && this.#decision !== undefined)
      this.#tolerated.push(`of its ${this.#decisions} decisions the strictest counts, "${this.#decision}"`);
    return {
      isAnswer: this.#isAnswer,
      isCertain: this.#isAnswer && (this.#hasOwnKey || (this.#reasons.size > 0 && !this.#hasOther)),
      ...(this.#decision !== undefined && { decision: this.#decision }),
      ...this.#reason(),
      ...(this.#notBy !== undefined && this.#decision === "ask" && { notBy: this.#notBy }),
      ...(this.#unreadable !== undefined && { unreadable: this.#unreadable }),
      extras: this.#extras,
      tolerated: this.#tolerated,
    };
  }

  #readDecision(where: string, value: JsonNode): void {
    this.#isAnswer = true;
    this.#hasOwnKey = true;
    if (value === null) return;
    // The answer to a permission request is an object of its own.
    if (value instanceof JsonObject && value.entries.some(([key]) => bareKey(key) === "behavior")) {
      this.read(value, `${where}.`);
      return;
    }
    const word = wordOf(value);
    if (word === undefined) {
      this.#unreadable = value;
      return;
    }
    this.#spelled(where, "decision");
    if (!OWN_WORDS.has(value)) this.#tolerated.push(`its decision is "${value}"; write "${word}"`);
    this.#decide(word);
  }

  #readSwitch(where: string, key: string, value: JsonNode): void {
    const word = switchOf(key, value);
    if (word === undefined) return;
    this.#isAnswer = true;
    this.#tolerated.push(`"${where}" is another client's form; write "decision": "${word}"`);
    this.#decide(word);
  }

  #decide(word: DecisionWord): void {
    this.#decisions++;
    this.#decision = stricter(word, this.#decision);
  }

  #spelled(where: string, own: string): void {
    if (OWN_KEYS.has(where)) return;
    const isForeign = where.includes(".") || bareKey(where) !== bareKey(own);
    this.#tolerated.push(
      isForeign ? `"${where}" is another client's form; write "${own}"` : `"${where}" is read as "${own}"`,
    );
  }

  #reason(): { readonly reason?: JsonNode } {
    const order = this.#decision === "stop" ? ["stopreason", ...REASONS] : REASONS;
    for (const key of order) {
      const reason = this.#reasons.get(key);
      if (reason !== undefined) return { reason };
    }
    return {};
  }
}

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
