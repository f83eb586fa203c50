import type { PromptMessage } from "./sdk-types.ts";
import { isVersion7 } from "./sdk-version.ts";

/**
 * The messages that hooks changed before a step, for the steps after it. Version 7 of the SDK keeps what `prepareStep` returns; version 6
 * uses it in one step.
 */
export class ChangedMessages {
  #changed: readonly PromptMessage[] | undefined;
  /** How many of the SDK's messages were changed; later ones follow them. */
  #length = 0;

  /** Whether some were changed. */
  get exist(): boolean {
    return this.#changed !== undefined;
  }

  /** The messages of a step, as the SDK gives them, with what was changed before. */
  read(messages: readonly PromptMessage[]): readonly PromptMessage[] {
    if (this.#changed === undefined) return messages;
    return [...this.#changed, ...messages.slice(this.#length)];
  }

  /** Keeps the messages of a step that hooks changed. `given` are those of the SDK. */
  keep(given: readonly PromptMessage[], changed: readonly PromptMessage[]): void {
    if (isVersion7) return;
    this.#changed = changed;
    this.#length = given.length;
  }
}
