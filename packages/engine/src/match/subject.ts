import type { EventName } from "@tenterhook/protocol";
import { type InputTexts, textsOf } from "./input-texts.ts";

/** One value of one event as matchers see it. A changed payload is a new subject. */
export class MatchSubject {
  readonly event: EventName;
  readonly toolName: string | undefined;
  /** The tool's other names. */
  readonly toolAliases: readonly string[] | undefined;
  readonly toolInput: Readonly<Record<string, unknown>> | undefined;
  /** What predicates are given: the context of the hook. */
  readonly context: unknown;
  #texts: InputTexts | undefined;

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
  }

  /** The same call under another of the tool's names; the input's texts are not read again. */
  as(toolName: string): MatchSubject {
    const { event, toolInput, context } = this;
    const subject = new MatchSubject(event, { toolName, toolInput }, context);
    subject.#texts = this.texts;
    return subject;
  }

  /** The input's texts, read once for all patterns. */
  get texts(): InputTexts {
    this.#texts ??= textsOf(this.toolInput);
    return this.#texts;
  }
}
