import { readField } from "./thrown.ts";

/** The code of an error of the system, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  const code = readField(error, "code");
  return typeof code === "string" ? code : undefined;
}
