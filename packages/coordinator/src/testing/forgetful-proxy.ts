import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";

/** A proxy that passes requests on, and can lose the responses: the coordinator has sent one, and the client never gets it. */
export interface ForgetfulProxy {
  readonly url: string;
  /** Cuts the client off at the first byte of a response, while this is true. */
  losesAnswers: boolean;
  close(): Promise<void>;
}

export async function startForgetfulProxy(target: string): Promise<ForgetfulProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    }
    client.on("data", (bytes) => upstream.write(bytes));
    upstream.on("data", (bytes) => {
      // The coordinator's side stays open, so that it cannot know.
      if (proxy.losesAnswers) client.destroy();
      else if (client.writable) client.write(bytes);
    });
    upstream.on("close", () => client.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  const proxy: ForgetfulProxy = {
    url: `http://127.0.0.1:${address.port}`,
    losesAnswers: false,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return proxy;
}
