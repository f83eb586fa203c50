import type { Finding } from "@tenterhook/protocol";

/** A finding in one line: file, line, what. */
export function formatFinding({ severity, file, line, message }: Finding): string {
  return `${file}${line === undefined ? "" : `:${line}`}: ${severity}: ${message}`;
}
