import { createHash } from "node:crypto";
import { once } from "node:events";
import { closeSync, constants, openSync } from "node:fs";
import { rm } from "node:fs/promises";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { systemCode } from "@tenterhook/internal";

export interface LivenessSocket {
  close(): Promise<void>;
}

/** Systems limit a socket's path to 104 or 108 bytes. */
const LONGEST_PATH = 100;

/** Listens on a socket in a folder: others can connect to it exactly while this process lives. */
export async function openLivenessSocket(folder: string, id: string): Promise<LivenessSocket> {
  const address = openAddress(folder, id);
  const server = createServer((connection) => connection.destroy());
  try {
    server.listen(address.path);
    await once(server, "listening");
  } finally {
    address.close();
  }
  // It must not keep a process alive that has nothing else to do.
  server.unref();
  return {
    async close() {
      const closed = once(server, "close");
      server.close();
      await closed;
      await rm(socketPath(folder, id), { force: true });
    },
  };
}

/** Whether a process listens there. A paused one does: the kernel answers for it. */
export async function isListening(folder: string, id: string): Promise<boolean> {
  const address = openAddress(folder, id);
  const connection = connect(address.path);
  try {
    await once(connection, "connect");
    return true;
  } catch (error) {
    const code = systemCode(error);
    // Anything else, such as a full queue, does not show that it has died.
    return code !== "ECONNREFUSED" && code !== "ENOENT";
  } finally {
    connection.destroy();
    address.close();
  }
}

/** Where the socket of a claim is; on Windows sockets are not among the files. */
export function socketPath(folder: string, id: string): string {
  if (process.platform !== "win32") return join(folder, `${id}.socket`);
  const name = createHash("sha256").update(join(folder, id)).digest("hex").slice(0, 32);
  return `\\\\.\\pipe\\tenterhook-${name}`;
}

/** A path to the socket that is short enough. */
function openAddress(folder: string, id: string): { readonly path: string; close(): void } {
  const path = socketPath(folder, id);
  if (process.platform !== "linux" || Buffer.byteLength(path) <= LONGEST_PATH)
    return { path, close: () => {} };
  const descriptor = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${descriptor}/${id}.socket`, close: () => closeSync(descriptor) };
}
