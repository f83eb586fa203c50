import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

/** The URL of a server that is not a coordinator. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function fails(args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await new CommandSandbox().run(args);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).not.toContain("internal error");
  return stderr;
}

test.each(["{}", "[]", "null", '"hello"', '{"status":"ok"}', "", "<html>"])(
  "runs at a server that answers everything with %j says that it is not a coordinator",
  async (body) => {
    const url = await serve((_, response) => response.end(body));
    const stderr = await fails(["runs", "--url", url, "--token", "t"]);
    expect(stderr).toMatch(/did not come from|not one of a coordinator|is not JSON/);
    expect(stderr).toContain("Check that this is a Tenterhook coordinator.");
  },
);

test("runs at a web server without such a page does not take it for a coordinator", async () => {
  const url = await serve((_, response) => response.writeHead(404).end("<h1>Not found</h1>"));
  const stderr = await fails(["runs", "--url", url, "--token", "t"]);
  expect(stderr).toContain("did not come from the coordinator");
});

test.each([
  ["runs"],
  ["runs", "show", "run_1"],
  ["runs", "retry", "run_1", "a=b"],
  ["agents"],
  ["approvals"],
  ["runners"],
  ["run", "hello", "hi"],
  ["run", "--resume", "ses_1", "hi"],
  ["tokens", "list"],
])("%j at a server of another kind is an error, not a stack", async (...args) => {
  const url = await serve((_, response) => response.end('{"status":"ok"}'));
  expect(await fails([...args, "--url", url, "--token", "t"])).toContain("is not one of a coordinator");
});

test("a token with a line break is not printed", async () => {
  const url = await serve((_, response) => response.end("{}"));
  const stderr = await fails(["runs", "--url", url, "--token", "geheim\nzwei"]);
  expect(stderr).toContain("the access token contains");
  expect(stderr).not.toContain("geheim");
});

test.each(["http://me:geheim@127.0.0.1:4100", "me:geheim@127.0.0.1:4100", "ftp://me:geheim@127.0.0.1"])(
  "a password in the address %s is not printed, with a token or without one",
  async (url) => {
    for (const token of [["--token", "t"], []]) {
      const stderr = await fails(["runs", "--url", url, ...token]);
      expect(stderr).toContain("contains a user or a password");
      expect(stderr).not.toContain("geheim");
    }
  },
);

test.each(["", ".", ".."])("the id %j is an error, and nothing is sent", async (id) => {
  let requests = 0;
  const url = await serve((_, response) => response.end(String(++requests)));
  expect(await fails(["runs", "stop", id, "--url", url, "--token", "t"])).toContain("not an id or a name");
  expect(requests).toBe(0);
});
