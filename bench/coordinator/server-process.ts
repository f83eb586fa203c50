// A coordinator in a process of its own, as it would run: `node --expose-gc server-process.js FOLDER [DATABASE_URL]`. Says its
// address, answers "usage" with what it has used, and any other message as a statement of SQL with the rows.
import { serveCoordinator } from "@tenterhook/coordinator";

/** What a process has used so far. */
export interface Usage {
  readonly cpuMs: number;
  /** After everything was collected that can be. */
  readonly heapBytes: number;
}

const [folder = "", url] = process.argv.slice(2);
const served = await serveCoordinator({ folder, url, port: 0 });
process.send?.({ url: served.url, token: served.token });
process.once("SIGTERM", () => void served.close().then(() => process.exit(0)));

process.on("message", (message: string) => {
  if (message !== "usage") {
    void execute(message);
    return;
  }
  const { user, system } = process.cpuUsage();
  globalThis.gc?.();
  const usage: Usage = { cpuMs: (user + system) / 1_000, heapBytes: process.memoryUsage().heapUsed };
  process.send?.(usage);
});

async function execute(text: string): Promise<void> {
  try {
    process.send?.({ rows: await served.coordinator.database.run({ name: "", text }) });
  } catch (error) {
    process.send?.({ error: String(error) });
  }
}
