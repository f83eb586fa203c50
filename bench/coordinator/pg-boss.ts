import { loadPeer } from "../peers.ts";

/** What the benchmark uses of pg-boss. */
export interface Boss {
  on(event: "error", listener: (error: Error) => void): void;
  start(): Promise<unknown>;
  createQueue(name: string): Promise<void>;
  send(queue: string, data: object): Promise<string | null>;
  fetch(queue: string): Promise<readonly { readonly id: string }[]>;
  complete(queue: string, id: string, data: object): Promise<unknown>;
  stop(options?: object): Promise<void>;
}

/** pg-boss with an empty queue. */
export async function startBoss(url: string, queue: string): Promise<Boss> {
  const { PgBoss } = await loadPeer<{ readonly PgBoss: new (url: string) => Boss }>("pg-boss");
  const boss = new PgBoss(url);
  // It may still have connections when the server ends; an error event without a listener would end the process.
  boss.on("error", () => {});
  await boss.start();
  await boss.createQueue(queue);
  return boss;
}
