import { once } from "node:events";
import { createServer } from "node:http";
import type { TestProject } from "vitest/node";
import type { PostgresServer } from "./postgres-server.ts";
// Declares the name of the provided value.
import type {} from "./shared-postgres.ts";

/**
 * Vitest's global setup: creates databases on one PostgreSQL server for all test files. The server starts on the first request,
 * so that runs without such tests do not wait for it.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let server: Promise<PostgresServer> | undefined;
  const broker = createServer((_request, response) => {
    server ??= import("./postgres-server.ts").then(({ startPostgres }) => startPostgres());
    server
      .then((postgres) => postgres.freshDatabase())
      .then(
        (url) => response.end(url),
        (error) => response.writeHead(500).end(String(error)),
      );
  });
  broker.listen(0, "127.0.0.1");
  await once(broker, "listening");
  const address = broker.address();
  if (address === null || typeof address === "string") throw new Error("A listening server has a port.");
  project.provide("postgresBroker", `http://127.0.0.1:${address.port}/`);

  return async () => {
    broker.closeAllConnections();
    broker.close();
    await (await server?.catch(() => undefined))?.remove();
  };
}
