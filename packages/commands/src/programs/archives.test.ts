import { expect, test } from "vitest";
import { programEffects } from "../testing/program-effects.ts";
import { CLASSES } from "../values.ts";

test.each([
  ["tar czf out.tgz src", ["read /repo/src", "write /repo/out.tgz"]],
  ["tar -C /etc -cf - passwd", ["read /etc/passwd", "prints folder"]],
  ["tar cf - dist", ["read /repo/dist"]],
  ["tar cz a.txt", ["read /repo/a.txt"]],
  ["tar cf - ~/.ssh", ["read /repo/~/.ssh", "read /repo/~/.ssh/*", "prints secret folder"]],
  ["tar cf host:/x src", ["read /repo/src", "send.folder host"]],
  [
    "tar --create --remove-files --file=x.tar src",
    ["read /repo/src", "write /repo/x.tar", "delete.recursive /repo/src"],
  ],
  ["tar xzf a.tgz", ["read /repo/a.tgz", "write /repo"]],
  ["tar xzf a.tgz -C /", ["read /repo/a.tgz", "write /*"]],
  ["tar xzf a.tgz -C /tmp", ["read /repo/a.tgz", "write /tmp/*"]],
  ["tar -xOf a.tgz", ["read /repo/a.tgz", "prints folder"]],
  ["tar tf a.tgz", ["read /repo/a.tgz"]],
  ["tar xf a.tgz '--to-command=sh -c id'", ["read /repo/a.tgz", "run sh -c id"]],
  [
    "tar cf x.tar --checkpoint --checkpoint-action exec=id a.b",
    ["run id", "read /repo/a.b", "write /repo/x.tar"],
  ],
  ["tar --use-compress-prog id -cf x.tar a.b", ["run id", "read /repo/a.b", "write /repo/x.tar"]],
  ["tar -I id -cf x.tar a.b", ["run id", "read /repo/a.b", "write /repo/x.tar"]],
  ["tar --version cf x.tar src --remove-files", []],
  ["tar cf x.tar --exclude --help a.b", ["read /repo/a.b", "write /repo/x.tar"]],
  ["zip -r out.zip src", ["read /repo/src", "write /repo/out.zip"]],
  ["zip -rm out.zip src", ["read /repo/src", "write /repo/out.zip", "delete.recursive /repo/src"]],
  ["zip -r - src", ["read /repo/src", "prints folder"]],
  ["unzip a.zip -d /opt", ["read /repo/a.zip", "write /opt"]],
  ["unzip -l a.zip", []],
  ["7z a x.7z src -sdel", ["read /repo/src", "write /repo/x.7z", "delete.recursive /repo/src"]],
  ["7z x x.7z -o/opt", ["read /repo/x.7z", "write /opt"]],
  ["gzip f", ["read /repo/f", "write /repo/f.gz", "delete /repo/f"]],
  ["gzip -k f", ["read /repo/f", "write /repo/f.gz"]],
  ["gunzip -c f.gz", ["read /repo/f.gz", "prints decoded"]],
  ["zcat f.gz", ["read /repo/f.gz", "prints decoded"]],
  ["xz -d", ["prints decoded"]],
  ["zstd -o out f", ["read /repo/f", "write /repo/out"]],
  ["gzip -t f.gz", []],
])("%s does %j", (command, expected) => {
  expect(programEffects(command)).toEqual(expected);
});

test("files whose names come from the input are packed", () => {
  const input = "/x/.ssh\n";
  expect(programEffects("cpio -o", { input })).toEqual([
    "read /x/.ssh",
    "read /x/.ssh/*",
    "prints secret folder",
  ]);
  expect(programEffects("tar cf - -T -", { input })).toEqual([
    "read /x/.ssh",
    "read /x/.ssh/*",
    "prints secret folder",
  ]);
  expect(programEffects("zip -@ x.zip", { input: "a.txt\n" })).toEqual([
    "read /repo/a.txt",
    "write /repo/x.zip",
  ]);
});

test("options of tar come from its environment, too", () => {
  const variables = { TAR_OPTIONS: "--to-command=id" };
  expect(programEffects("tar xf a.tar", { variables })).toEqual(["read /repo/a.tar", "run id"]);
});

test("what is packed keeps its class", () => {
  expect(programEffects("gzip -c", { input: CLASSES.secret })).toEqual(["prints secret"]);
});
