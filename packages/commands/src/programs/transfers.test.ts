import { expect, test } from "vitest";
import { programEffects } from "../testing/program-effects.ts";

test.each([
  ["rsync -a src/ /backup", ["read /repo/src", "write /backup"]],
  [
    "rsync -a --delete empty/ target",
    ["read /repo/empty", "write /repo/target", "delete.recursive /repo/target"],
  ],
  ["rsync -an --delete empty/ target", []],
  [
    "rsync -a --exclude --dry-run --delete e/ t",
    ["read /repo/e", "write /repo/t", "delete.recursive /repo/t"],
  ],
  ["rsync -a dist/ user@host:/var/www", ["read /repo/dist", "send host"]],
  ["rsync -a src user@host:x", ["read /repo/src", "send.folder host"]],
  ["rsync -a --delete src rsync://host/x", ["read /repo/src", "send.folder host"]],
  ["rsync -a host:x /etc/x", ["write /etc/x"]],
  ["rsync -e 'sh -c id' a.b c", ["run sh -c id", "read /repo/a.b", "write /repo/c"]],
  ["scp /x/a.env host:", ["read /x/a.env", "send.secret host"]],
  ["scp -P 22 a.txt host:/tmp", ["read /repo/a.txt", "send host"]],
  ["scp host:a.txt .", ["write /repo"]],
  ["scp host:d/a.txt /tmp", ["write /tmp/a.txt"]],
  ["scp a.txt h:x", ["read /repo/a.txt", "send h"]],
  ["sftp -b cmds host", ["prints remote"]],
  ["tftp host -c put a.txt", ["read /repo/a.txt", "send host", "prints remote"]],
  ["lftp -e 'mirror -R src; quit' host", ["read /repo/src", "send.folder host", "prints remote"]],
  ["rclone copy a.txt remote:b", ["read /repo/a.txt", "send remote"]],
  ["rclone purge remote:b", ["destroy_remote remote:b"]],
  ["rclone delete /x", ["delete.recursive /x"]],
  ["rclone --dry-run purge remote:b", []],
])("%s does %j", (command, expected) => {
  expect(programEffects(command)).toEqual(expected);
});

test("commands of sftp in its input and in a file are read", () => {
  expect(programEffects("sftp host", { input: "put a.env\n!id\n" })).toEqual([
    "read /repo/a.env",
    "send.secret host",
    "run id",
    "prints remote",
  ]);
  expect(programEffects("sftp -b c host", { contents: { c: "put x.txt", "/repo/c": "put x.txt" } })).toEqual([
    "read /repo/x.txt",
    "send host",
    "prints remote",
  ]);
});
