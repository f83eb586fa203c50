import { readFileSync } from "node:fs";
import { readJson } from "./json-text.ts";
import { readToml } from "./toml-entries.ts";

/** The value at some keys of a client's file; `undefined` also when the file cannot be read. */
export function settingAt(path: string, keys: readonly string[]): unknown {
  let value: unknown;
  try {
    const text = readFileSync(path, "utf8").replace(/^\uFEFF/, "");
    const read = path.endsWith(".toml") ? readToml(text) : readJson(text, "jsonc");
    value =
      typeof read === "string"
        ? undefined
        : path.endsWith(".toml")
          ? read
          : (read as { readonly value: unknown }).value;
  } catch {
    return undefined;
  }
  for (const key of keys) value = Object(value)[key];
  return value;
}
