import { mkdirSync, readdirSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BridgeSandbox } from "../testing/bridge-sandbox.ts";
import { BridgeSession } from "./bridge-session.ts";

test("of the sessions that begin on a day, only the first looks at all others", () => {
  const { state } = new BridgeSandbox();
  const sessions = join(state, "bridge", "sessions");
  const begin = (id: string) => new BridgeSession(state, "claude", id, "/work").startedIn(["/work"]);
  const addOld = (name: string) => {
    mkdirSync(join(sessions, name), { recursive: true });
    utimesSync(join(sessions, name), new Date(0), new Date(0));
  };
  addOld("claude-old");
  begin("first");
  expect(readdirSync(sessions)).toEqual(["claude-first"]);
  // A session that looked at this one would remove it.
  addOld("claude-witness");
  for (let nth = 0; nth < 50; nth++) begin(`next-${nth}`);
  expect(readdirSync(sessions)).toContain("claude-witness");
  const yesterday = Date.now() / 1_000 - 25 * 60 * 60;
  utimesSync(`${sessions}.swept`, yesterday, yesterday);
  begin("last");
  expect(readdirSync(sessions)).not.toContain("claude-witness");
});
