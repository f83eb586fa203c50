import { fileText } from "./file-text.ts";
import { readJson } from "./json-text.ts";
import { readToml } from "./toml-entries.ts";

/** The value at some keys of a client's file; `undefined` also when the file cannot be read. */
export function settingAt(path: string, keys: readonly string[]): unknown {
  const text = fileText(path);
  if (text === undefined) return undefined;
  let value: unknown = path.endsWith(".toml") ? readToml(text) : Object(readJson(text, "jsonc")).value;
  for (const key of keys) value = Object(value)[key];
  return value;
}
