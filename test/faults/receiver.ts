import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import type { TestContext } from "vitest";

/** Takes the calls of http start hooks: every one adds 1 to `count`, however often it is called about the same. */
export async function startReceiver(atEnd: TestContext["onTestFinished"]): Promise<string> {
  const server = createServer((request, response) => {
    void json(request).then((input) => {
      const { parameters } = input as { readonly parameters: { readonly count: number } };
      const answer = { action: "continue", parameters: { count: parameters.count + 1 } };
      response.setHeader("content-type", "application/json").end(JSON.stringify(answer));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
