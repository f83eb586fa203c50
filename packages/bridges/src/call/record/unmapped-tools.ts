import { dirname, join } from "node:path";
import { makeFolders, readPlainFile, replacePlainFile } from "@tenterhook/internal/files";
import type { Client } from "../../definition/client.ts";
import type { NativePayload } from "../read/read-call.ts";
import type { Translated } from "../translate/translate.ts";

/** A tool that a client called and that has no canonical name. */
export interface UnmappedTool {
  /** The client's name of it. */
  readonly name: string;
  /** It was given a command, so matchers of Shell find it. */
  readonly isShell: boolean;
}

const MAX_TOOLS = 200;
const LONGEST_NAME = 200;

/** Whether a call is of a tool that has no canonical name and of which it is not known why it needs none. */
export function isUnmappedCall(native: NativePayload, { call }: Translated): boolean {
  if (call?.isUnmapped !== true) return false;
  const name = native.values.toolName;
  return !Object.values(native.client.tools.unmapped).some((names) => names.includes(name as string));
}

/** Stores the name of such a tool once, for `doctor`. It never throws: what cannot be stored changes no answer. */
export function recordUnmappedTool(state: string, native: NativePayload, { steps }: Translated): void {
  const name = String(native.values.toolName).slice(0, LONGEST_NAME);
  const isShell = steps.some(({ payload }) =>
    (payload as { toolAliases?: readonly string[] }).toolAliases?.includes("Shell"),
  );
  const known = readUnmappedTools(state, native.client);
  if (known.length >= MAX_TOOLS) return;
  const before = known.find((tool) => tool.name === name);
  if (before !== undefined && (before.isShell || !isShell)) return;
  const tools = [...known.filter((tool) => tool !== before), { name, isShell }];
  try {
    const path = fileFor(state, native.client);
    makeFolders(dirname(path));
    // Of two processes at once the last one wins; the other's tool is stored at its next call.
    replacePlainFile(path, `${JSON.stringify(tools)}\n`);
  } catch {
    // The home may be read-only.
  }
}

/** The tools without a canonical name that a client has called. */
export function readUnmappedTools(state: string, client: Client): readonly UnmappedTool[] {
  try {
    const tools = JSON.parse(readPlainFile(fileFor(state, client))) as readonly Partial<UnmappedTool>[];
    return tools.flatMap(({ name, isShell }) =>
      typeof name === "string" ? [{ name, isShell: isShell === true }] : [],
    );
  } catch {
    return [];
  }
}

function fileFor(state: string, { id }: Client): string {
  return join(state, "bridge", "unmapped-tools", `${id}.json`);
}
