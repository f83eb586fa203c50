import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { COLD, ended, Front } from "../testing/front.ts";

/** Debian's and Red Hat's user without rights; any other than this process's would do. */
const OTHER = 65_534;

// Only root can give a file to another user, and run a program as one.
describe.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "the script, among several users,",
  () => {
    test.each([
      ["folder", "."],
      ["folder above it", ".."],
      ["socket", "socket"],
      ["file about it", "about"],
    ])("sends nothing to a resident process whose %s belongs to another user", async (_, name) => {
      const front = new Front();
      const server = await front.serve();
      chownSync(join(front.resident, name), OTHER, OTHER);
      expect(await front.call('{"a":1}')).toEqual(COLD);
      expect(server.heads).toEqual([]);
      expect(front.coldText.toString()).toBe('{"a":1}');
    });

    test.each([false, true])(
      "sends nothing as another user, if that user may read the files: %s",
      async (mayRead) => {
        const front = new Front();
        const server = await front.serve();
        // The script and what the cold bridge stores are for everybody.
        chmodSync(front.root, 0o777);
        if (mayRead) for (const name of [".", ".."]) chmodSync(join(front.resident, name), 0o755);
        if (mayRead) for (const name of ["socket", "about"]) chmodSync(join(front.resident, name), 0o666);
        const user = ["setpriv", `--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups"];
        const child = front.startIn(front.root, [...user, ...front.words()]);
        child.stdin?.end('{"a":1}');
        expect(await ended(child)).toEqual(COLD);
        expect(server.heads).toEqual([]);
        expect(front.coldText.toString()).toBe('{"a":1}');
      },
    );

    test("sends nothing as another user who has made all files its own", async () => {
      const front = new Front();
      const server = await front.serve();
      chmodSync(front.root, 0o777);
      for (const name of ["..", ".", "socket", "about"]) chownSync(join(front.resident, name), OTHER, OTHER);
      const user = ["setpriv", `--reuid=${OTHER}`, `--regid=${OTHER}`, "--clear-groups"];
      const child = front.startIn(front.root, [...user, ...front.words()]);
      child.stdin?.end('{"a":1}');
      // The process that listens is still this one.
      expect(await ended(child)).toEqual(COLD);
      expect(server.heads).toEqual([]);
    });
  },
);
