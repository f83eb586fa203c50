import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { TenterhookClient } from "@tenterhook/client";
import { measure, type Row, type Suite } from "../measure.ts";

/** What the client adds to a request. */
export const clientSuite: Suite = { requests };

const PAGE = JSON.stringify({ agents: [], next_cursor: null });

async function requests(): Promise<Row[]> {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "application/json", "content-length": PAGE.length }).end(PAGE);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new TenterhookClient({ url, token: "none" });
  const headers = { authorization: "Bearer none", accept: "application/json" };
  const best = await measure(
    {
      client: async (times) => {
        for (let n = 0; n < times; n++) await client.agents.list();
      },
      bare: async (times) => {
        for (let n = 0; n < times; n++) await (await fetch(`${url}/agents`, { headers })).json();
      },
    },
    { rounds: 20, times: 100 },
  );
  server.closeAllConnections();
  server.close();
  return [
    {
      what: "a request of the client, with timeout, retries and errors",
      against: "a bare fetch with json(), both to a bare server in the same process",
      ours: best.client,
      theirs: best.bare,
      bar: { most: 1.5 },
    },
  ];
}
