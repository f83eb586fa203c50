import { didYouMean, isRecord } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/**
 * Reads a configuration object field by field. Errors name the wrong field but never its value, because secrets may have been
 * put into the wrong field.
 */
export class ConfigFields {
  readonly #where: string;
  readonly #fields: Readonly<Record<string, unknown>>;

  /** `where` names it in errors: `model`, `script turn 2`. */
  constructor(where: string, value: unknown, known: readonly string[]) {
    this.#where = where;
    if (!isRecord(value)) throw this.bad("must be an object.");
    this.#fields = value;
    for (const name of Object.keys(value)) {
      if (known.includes(name)) continue;
      const all = `Its fields are ${known.join(", ")}.`;
      throw this.bad(`has no field "${name}".`, didYouMean(name, known, all));
    }
  }

  text(name: string): string {
    const value = this.optionalText(name);
    if (value === undefined || value === "") throw this.bad(`needs "${name}", a text.`);
    return value;
  }

  optionalText(name: string): string | undefined {
    return this.#optional(name, "a text", (value) => typeof value === "string") as string | undefined;
  }

  optionalFlag(name: string): boolean | undefined {
    return this.#optional(name, "true or false", (value) => typeof value === "boolean") as
      | boolean
      | undefined;
  }

  optionalCount(name: string): number | undefined {
    const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;
    return this.#optional(name, "a whole number", isCount) as number | undefined;
  }

  optionalList(name: string): readonly unknown[] | undefined {
    return this.#optional(name, "a list", Array.isArray) as readonly unknown[] | undefined;
  }

  optionalTexts(name: string): Readonly<Record<string, string>> | undefined {
    const isTexts = (value: unknown) =>
      isRecord(value) && Object.values(value).every((text) => typeof text === "string");
    return this.#optional(name, "an object of texts", isTexts) as Record<string, string> | undefined;
  }

  has(name: string): boolean {
    return this.#fields[name] !== undefined;
  }

  /** A field of any type. */
  value(name: string): unknown {
    return this.#fields[name];
  }

  bad(problem: string, hint?: string): TenterhookError {
    return new TenterhookError("bad_agent", `${this.#where} ${problem}`, { hint });
  }

  #optional(name: string, expected: string, isValid: (value: unknown) => boolean): unknown {
    const value = this.#fields[name];
    if (value !== undefined && !isValid(value)) throw this.bad(`has a "${name}" that is not ${expected}.`);
    return value;
  }
}
