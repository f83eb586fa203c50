import type { EventName } from "@tenterhook/protocol";
import { type CallEffects, effectsOfCall } from "./call-effects.ts";

/** One value of one event as matchers see it. A changed payload is a new subject. */
export class MatchSubject {
  readonly event: EventName;
  readonly toolName: string | undefined;
  /** The tool's other names. */
  readonly toolAliases: readonly string[] | undefined;
  readonly toolInput: Readonly<Record<string, unknown>> | undefined;
  /** What predicates are given: the context of the hook. */
  readonly context: unknown;
  readonly #payload: object;
  #texts: InputTexts | undefined;
  /** The same call under the tool's own name. */
  #call: MatchSubject | undefined;

  constructor(event: EventName, payload: object, context: unknown) {
    const tool = payload as {
      readonly toolName?: string;
      readonly toolAliases?: readonly string[];
      readonly toolInput?: Readonly<Record<string, unknown>>;
    };
    this.event = event;
    this.toolName = tool.toolName;
    this.toolAliases = tool.toolAliases;
    this.toolInput = tool.toolInput;
    this.context = context;
    this.#payload = payload;
  }

  /** The same call under another of the tool's names; the input's texts are not read again. */
  as(toolName: string): MatchSubject {
    const { event, toolInput, context } = this;
    const subject = new MatchSubject(event, { toolName, toolInput }, context);
    subject.#texts = this.texts;
    subject.#call = this;
    return subject;
  }

  /** The input's texts, read once for all patterns. */
  get texts(): InputTexts {
    this.#texts ??= inputTexts(this.toolInput);
    return this.#texts;
  }

  /** What the call does, by all of the tool's names. Read once for all hooks of the value. */
  get effects(): CallEffects {
    return effectsOfCall(this.context, (this.#call ?? this).#payload);
  }
}

/** The texts of an input that a pattern is searched in. */
export interface InputTexts {
  readonly texts: readonly string[];
  /** False when the input is nested or branched beyond what is read, or cannot be written as JSON. */
  readonly complete: boolean;
}

const DEEPEST = 64;
const MAX_VALUES = 10_000;

/** Every string value of an input, then the whole of it as JSON. */
export function inputTexts(input: Readonly<Record<string, unknown>> | undefined): InputTexts {
  const texts: string[] = [];
  const seen = new Set<object>();
  let complete = true;
  let values = 0;
  const collect = (value: unknown, depth: number): void => {
    if (++values > MAX_VALUES) {
      complete = false;
    } else if (typeof value === "string") {
      texts.push(value);
    } else if (typeof value === "object" && value !== null && !seen.has(value)) {
      seen.add(value);
      // A Map, a Buffer or an instance of a class may contain anything, and does not show it.
      if (depth === 0 || !isPlain(value)) complete = false;
      else for (const part of Object.values(value)) collect(part, depth - 1);
    }
  };
  collect(input, DEEPEST);
  try {
    texts.push(JSON.stringify(input) ?? "");
  } catch {
    // Cyclic, or a BigInt: there is no JSON to look at.
    complete = false;
  }
  return { texts, complete };
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}
