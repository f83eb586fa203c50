import { readFileSync } from "node:fs";
import { hookFileIn } from "@tenterhook/file-hooks/discover";
import { findEntryPoint } from "@tenterhook/file-hooks/run";
import type { Finding } from "@tenterhook/protocol";
import { BODY_TO_REPLACE } from "../init/hook-md.ts";
import { RULES_TO_REPLACE } from "../init/scripts.ts";

/** Placeholders of `init` that were not replaced. */
export function templateFindings(folder: string): readonly Finding[] {
  const entry = findEntryPoint(folder);
  return [
    ...leftOver(hookFileIn(folder), [BODY_TO_REPLACE], "describe what this hook is for"),
    ...(typeof entry === "string"
      ? []
      : leftOver(entry.script, RULES_TO_REPLACE, "replace it with your own rule")),
  ];
}

function leftOver(file: string, texts: readonly string[], todo: string): readonly Finding[] {
  const lines = readText(file).split("\n");
  const index = lines.findIndex((line) => texts.some((text) => line.includes(text)));
  if (index < 0) return [];
  const message = `this is still a placeholder of tenterhook init; ${todo}`;
  return [{ severity: "warning", file, line: index + 1, message }];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
