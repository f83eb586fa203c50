import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";

const SESSION = new URL("../../dist/session/bridge-session.js", import.meta.url);

/** Begins many sessions, each at the moment at which the other processes begin it too. */
const BEGIN = `
  const { BridgeSession } = await import(process.argv[1]);
  const [, , state, folder, start] = process.argv;
  const begun = [];
  for (let nth = 0; nth < 150; nth++) {
    const session = new BridgeSession(state, "claude", "s" + nth, folder);
    while (Date.now() < Number(start) + nth * 4);
    begun.push(session.startedIn([folder])[0]);
  }
  console.log(JSON.stringify(begun));
`;

test("processes that are the first of a session at once agree on the folder that it began in", async () => {
  const { state } = new BridgeSandbox();
  const start = String(Date.now() + 500);
  const [one, other] = await Promise.all(
    ["/one", "/other"].map(async (folder) => {
      const args = ["--input-type=module", "--eval", BEGIN, SESSION.href, state, folder, start];
      const { stdout } = await promisify(execFile)(process.execPath, args);
      return JSON.parse(stdout) as string[];
    }),
  );
  expect(one).toHaveLength(150);
  expect(one).toEqual(other);
});
