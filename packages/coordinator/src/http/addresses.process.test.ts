import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { freshPostgres } from "@tenterhook/test-support";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

let coordinator: TestCoordinator;
beforeAll(async () => {
  coordinator = await TestCoordinator.open({ url: await freshPostgres() });
});
afterAll(() => coordinator.close());

/** Sends a request line as it is, which `fetch` would normalise. */
async function send(line: string, host = new URL(coordinator.served.url).host) {
  const { hostname, port } = new URL(coordinator.served.url);
  const socket = connect(Number(port), hostname);
  const headers = [`Host: ${host}`, `Authorization: Bearer ${coordinator.admin.token}`, "Connection: close"];
  socket.write(`${line} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`);
  const received = await text(socket);
  const [head = "", body = ""] = received.split("\r\n\r\n");
  return {
    status: Number(head.split(" ")[1]),
    allow: /^allow: (.*)$/im.exec(head)?.[1],
    body,
  };
}

test.each([
  ["GET /runs", 200],
  ["GET /runs?limit=1", 200],
  ["GET /run%73", 200],
  ["GET /x/../runs", 200],
  ["GET /runs?", 200],
  ["GET http://127.0.0.1/runs", 200],
  ["GET /runs/count", 200],
  ["GET /runs/count?agent=a&agent=b", 200],
  ["GET /openapi.json", 200],
  ["HEAD /runs", 200],
  ["HEAD /events", 200],
  ["GET /runs/none", 404],
  ["GET /runs/a%2Fb", 404],
  ["GET /runs/%E4%BA%BA", 404],
  // The operation of this method is for one run, whatever its id is.
  ["GET /runs/stop", 404],
  ["GET /runs/", 404],
  ["GET //runs", 404],
  ["GET /runs/none/", 404],
  ["GET /runs/none/events/1", 404],
  ["GET /RUNS", 404],
  ["GET /nothing", 404],
  ["HEAD /nothing", 404],
  ["OPTIONS /nothing", 404],
  ["GET /agents/__proto__", 400],
  ["GET /runs?limit=none", 400],
  ["GET /runs?unknown=1", 400],
  ["GET /runs/%E4", 400],
  ["GET /runs/%", 400],
])("%s is answered with %i", async (line, status) => {
  const response = await send(line);
  expect(response).toMatchObject({ status, allow: undefined });
  if (line.startsWith("HEAD")) expect(response.body).toBe("");
  else if (status !== 200) expect(JSON.parse(response.body)).toMatchObject({ status });
  expect(coordinator.errors).toEqual([]);
});

test.each([
  ["DELETE /runs", "POST, GET"],
  ["OPTIONS /runs", "POST, GET"],
  ["PATCH /agents/a", "GET, PUT, DELETE"],
  ["PUT /runs/stop", "POST"],
  ["PUT /runs/none", "GET"],
  ["GET /runs/none/stop", "POST"],
  ["HEAD /runs/none/stop", "POST"],
])("%s is refused, and the methods that there are, %s, are named", async (line, allow) => {
  const response = await send(line);
  expect(response).toMatchObject({ status: 405, allow });
  const [method] = line.split(" ");
  if (method !== "HEAD")
    expect(JSON.parse(response.body)).toMatchObject({ detail: `${method} is not among ${allow}` });
});

test("what is not at an address is said with the address, and where all of them are listed", async () => {
  const { body } = await send("GET /nothing/at%20all?a=1");
  expect(JSON.parse(body)).toMatchObject({
    code: "not_found",
    detail: "there is nothing at /nothing/at all",
    hint: "GET /openapi.json lists everything that there is.",
  });
});

test("a request with a malformed Host header is refused like one for another host", async () => {
  expect((await send("GET /runs", "a b")).status).toBe(403);
  expect((await send("GET /nothing", "[")).status).toBe(403);
});
