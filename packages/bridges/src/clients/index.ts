import type { Client } from "../definition/client.ts";

/** Every supported client. Each is loaded on demand: a bridge needs only one of them. */
export const CLIENTS: Readonly<Record<string, () => Promise<{ readonly client: Client }>>> = {
  claude: () => import("./claude/index.ts"),
  codex: () => import("./codex/index.ts"),
  gemini: () => import("./gemini/index.ts"),
  qwen: () => import("./qwen/index.ts"),
  copilot: () => import("./copilot/index.ts"),
  kimi: () => import("./kimi/index.ts"),
  droid: () => import("./droid/index.ts"),
  cline: () => import("./cline/index.ts"),
  opencode: () => import("./opencode/index.ts"),
};

/** The clients that also read another client's configuration. A table, so that finding them loads no client. */
export const READERS: Readonly<Record<string, readonly string[]>> = { claude: ["copilot"] };

/** The client with an id; `undefined` when there is none. */
export async function loadClient(id: string): Promise<Client | undefined> {
  return Object.hasOwn(CLIENTS, id) ? (await CLIENTS[id]?.())?.client : undefined;
}

/** The clients that also read the configuration of this one. */
export async function loadReaders(id: string): Promise<readonly Client[]> {
  const readers = Object.hasOwn(READERS, id) ? (READERS[id] ?? []) : [];
  return (await Promise.all(readers.map(loadClient))).filter((client) => client !== undefined);
}

/** All clients, in the order of the list. */
export async function loadClients(): Promise<readonly Client[]> {
  return Promise.all(Object.values(CLIENTS).map(async (load) => (await load()).client));
}
