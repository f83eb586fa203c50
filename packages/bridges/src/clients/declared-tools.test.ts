import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { findCommands } from "../call/translate/command-call.ts";
import type { Client } from "../definition/client.ts";
import { loadClients } from "./index.ts";

const FOLDER = fileURLToPath(new URL("../../declared-tools", import.meta.url));

interface Declared {
  readonly client: string;
  readonly version: string;
  /** `live`: most were seen in the requests of the real client. */
  readonly evidence: "live" | "package" | "assumed";
  readonly how: string;
  /** The names of each tool's arguments, as far as they are known. */
  readonly tools: Readonly<Record<string, readonly string[]>>;
}

const clients = await loadClients();
const declared = new Map(
  readdirSync(FOLDER).map((file) => {
    const list = JSON.parse(readFileSync(join(FOLDER, file), "utf8")) as Declared;
    return [list.client, list] as const;
  }),
);

function unmappedNames({ tools }: Client): readonly string[] {
  return Object.values(tools.unmapped).flat();
}

describe.each(clients.map((client) => [client.name, client] as const))("the tools of %s", (_, client) => {
  const { tools = {} } = declared.get(client.id) ?? {};
  const mapped = [...Object.keys(client.tools.rows), ...Object.keys(client.tools.wrappers ?? {})];
  const unmapped = unmappedNames(client);

  test("have a canonical name or a reason why they need none, and never both", () => {
    const names = Object.keys(tools);
    expect(names.length).toBeGreaterThan(8);
    expect(names.filter((name) => !mapped.includes(name) && !unmapped.includes(name))).toEqual([]);
    expect(mapped.filter((name) => unmapped.includes(name))).toEqual([]);
    expect(new Set(unmapped).size).toBe(unmapped.length);
  });

  test("that need no canonical name were declared", () => {
    expect(unmapped.filter((name) => !Object.hasOwn(tools, name))).toEqual([]);
  });

  test("that are given a command are found by matchers of Shell", () => {
    for (const [name, args] of Object.entries(tools)) {
      const row = [client.tools.rows[name] ?? []].flat()[0];
      const command = args.find((arg) => findCommands({ [arg]: "ls" }) !== undefined);
      // A patch is called command in Codex, and the task of a subagent may have a command that began it.
      if (command === undefined || row?.split !== undefined || row?.delegates !== undefined) continue;
      expect([name, row?.name ?? "Shell"]).toEqual([name, "Shell"]);
    }
  });

  test("that are given a file and a text have a canonical name", () => {
    const writing = Object.entries(tools).filter(
      ([, args]) =>
        args.some((arg) => /^(?:file_?path|path|notebook_path)$/i.test(arg)) &&
        args.some((arg) => /content|new_|file_text|newString/i.test(arg)),
    );
    expect(writing.filter(([name]) => !mapped.includes(name))).toEqual([]);
  });
});
