import type { Tool } from "./config.ts";

/** A schema of the Standard Schema specification, as zod's. */
interface StandardSchema {
  readonly "~standard"?: {
    validate?(value: unknown): Validation | PromiseLike<Validation>;
  };
}

interface Validation {
  readonly issues?: readonly { readonly message: string }[] | undefined;
}

/** Checks an input that hooks changed by the schema of the tool; returns the problem. A schema of another kind is not checked. */
export function validateInput({ inputSchema }: Tool) {
  return async (input: Record<string, unknown>): Promise<string | undefined> => {
    const result = await (inputSchema as StandardSchema | undefined)?.["~standard"]?.validate?.(input);
    return result?.issues?.map(({ message }) => message).join("; ");
  };
}
