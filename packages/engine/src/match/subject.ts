import type { EventName } from "@tenterhook/protocol";
import { type InputTexts, textsOf } from "./input-texts.ts";

/** One value of one event as matchers see it. A changed payload is a new subject. */
export class MatchSubject {
  readonly event: EventName;
  readonly toolName: string | undefined;
  readonly toolInput: Readonly<Record<string, unknown>> | undefined;
  /** What predicates are given: the context of the hook. */
  readonly context: unknown;
  #texts: InputTexts | undefined;

  constructor(event: EventName, payload: object, context: unknown) {
    const tool = payload as {
      readonly toolName?: string;
      readonly toolInput?: Readonly<Record<string, unknown>>;
    };
    this.event = event;
    this.toolName = tool.toolName;
    this.toolInput = tool.toolInput;
    this.context = context;
  }

  /** The input's texts, read once for all patterns. */
  get texts(): InputTexts {
    this.#texts ??= textsOf(this.toolInput);
    return this.#texts;
  }
}
