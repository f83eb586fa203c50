import { once } from "node:events";
import { createServer } from "node:net";

/** Below the ports that Linux, macOS and Windows assign by themselves. */
const FIRST = 20_000;
const COUNT = 12_000;

/**
 * A port for a server that is stopped and started again at the same address. The system assigns it to no other server
 * and to no connection in between, as it may do with a port that it has assigned itself.
 */
export async function restartPort(): Promise<number> {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * COUNT);
    const server = createServer().listen(port, "127.0.0.1");
    try {
      await once(server, "listening");
    } catch {
      continue;
    }
    server.close();
    await once(server, "close");
    return port;
  }
}
