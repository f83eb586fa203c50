import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { findAccess } from "./access.ts";

function access(url?: string) {
  const data = temporaryFolder();
  writeFileSync(join(data, "token"), "local\n");
  writeFileSync(join(data, "address"), "http://127.0.0.1:4100\n");
  return findAccess({ url, token: undefined, data }, {});
}

test.each([undefined, "http://localhost:1", "http://127.0.0.1", "http://127.1:4100", "http://[::1]:1/"])(
  "the command uses the data folder's token for the local coordinator at %s",
  (url) => expect(access(url).token).toBe("local"),
);

test.each([
  "http://127.evil.example",
  "http://127.0.0.1.evil.example",
  "http://localhost.evil.example",
  "http://192.0.2.1",
])("the command does not send the data folder's token to %s", (url) => {
  expect(() => access(url)).toThrow(`no token for ${url}`);
});
