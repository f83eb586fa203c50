import type { Immutable, Payload } from "@tenterhook/protocol";
import { ToolCalls } from "./tool-call.ts";

export type StepFields = Immutable<NonNullable<Payload<"after_step">["step"]>>;

/** One step of an agent: the model's text and its tool calls. */
export class AgentStep {
  readonly #fields: StepFields;

  constructor(fields: StepFields) {
    this.#fields = fields;
  }

  toJSON(): StepFields {
    return this.#fields;
  }

  /** 0-based. */
  index(): number {
    return this.#fields.index;
  }

  text(): string {
    return this.#fields.text ?? "";
  }

  toolCalls(): ToolCalls {
    return ToolCalls.of(this.#fields.toolCalls ?? []);
  }

  /** Whether one of its tool calls failed or was blocked. */
  hasErrors(): boolean {
    return this.#fields.hasErrors ?? false;
  }
}
