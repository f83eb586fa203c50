import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findAccess } from "./access.ts";

function access(url?: string) {
  const data = mkdtempSync(join(tmpdir(), "tenterhook-access-"));
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  writeFileSync(join(data, "token"), "local\n");
  writeFileSync(join(data, "address"), "http://127.0.0.1:4100\n");
  return findAccess({ url, token: undefined, data }, {});
}

test.each([undefined, "http://localhost:1", "http://127.0.0.1", "http://127.1:4100", "http://[::1]:1/"])(
  "the data folder's token is used for the coordinator of this machine at %s",
  (url) => expect(access(url).token).toBe("local"),
);

test.each([
  "http://127.evil.example",
  "http://127.0.0.1.evil.example",
  "http://localhost.evil.example",
  "http://192.0.2.1",
])("the data folder's token is not sent to %s", (url) => {
  expect(() => access(url)).toThrow(`there is no token for ${url}`);
});
