import { CLASSES, isGlob, UNKNOWN } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that make, change and remove files. */
export const FILES: Programs = {
  "rm del erase": {
    values: "interactive?",
    operands: "delete*",
    when: { "r R recursive": { operands: "delete.recursive*" } },
    prints: "nothing",
  },
  rmdir: { operands: "delete*", prints: "nothing" },
  unlink: { operands: "delete*", prints: "nothing" },
  "shred srm wipe": {
    values: "n iterations s size random-source",
    operands: "delete*",
    when: { "r R recursive": { operands: "delete.recursive*" } },
    run: overwriteDevices,
    prints: "nothing",
  },
  // What is in the trash can be taken out again.
  "trash trash-put gio-trash": { operands: "delete*", prints: "nothing" },
  "rimraf del-cli": { operands: "delete.recursive*", prints: "nothing" },
  mv: { values: "t target-directory S suffix", run: move, prints: "nothing" },
  cp: { values: "t target-directory S suffix", run: copy, prints: "nothing" },
  install: {
    values: "t target-directory S suffix m mode o owner g group",
    run: (call) => (call.has("d directory") ? makeAll(call) : copy(call)),
    prints: "nothing",
  },
  mkdir: { values: "m mode", run: makeAll, prints: "nothing" },
  touch: { values: "d date r reference t time", operands: "write*", prints: "nothing" },
  mktemp: { values: "p=- tmpdir suffix", run: makeTemporary },
  truncate: { values: "s size r reference", operands: "write*", prints: "nothing" },
  fallocate: { values: "l length o offset", operands: "write*", prints: "nothing" },
  "ln link": { values: "t target-directory S suffix", run: link, prints: "nothing" },
  chmod: { values: "reference", switches: "recursive", run: changePermissions, prints: "nothing" },
  "chown chgrp": {
    values: "reference from",
    switches: "recursive",
    run: changePermissions,
    prints: "nothing",
  },
  "chattr setfacl": {
    values: "m modify x remove M modify-file X remove-file",
    operands: "- permissions*",
    when: {
      "R recursive": { operands: "- permissions.recursive*" },
      "m modify x remove b remove-all": { operands: "permissions*" },
    },
    prints: "nothing",
  },
  tee: { operands: "write*", prints: "content", reads: "input" },
};

function overwriteDevices(call: Call): void {
  const devices = call.operands.filter((operand) => operand.startsWith("/dev/"));
  if (devices.length > 0) call.effect("device", ...devices);
}

function move(call: Call): void {
  forEachSource(call, (from, to) => {
    call.effect("move", from);
    call.link(from, to);
  });
}

/** A copy has what its source has. */
function copy(call: Call): void {
  const isRecursive = call.has("r R a recursive archive");
  forEachSource(call, (from, to) => {
    const content = call.has("attributes-only") ? UNKNOWN : call.read(from);
    call.write(to, isRecursive ? content + CLASSES.folder : content);
    if (isRecursive) call.create(to);
  });
}

function link(call: Call): void {
  forEachSource(call, (from, to) => call.link(from, to));
}

/** Names that are folders on every machine. */
const FOLDERS =
  /^\/(?:|tmp|var\/tmp|dev\/shm|etc|bin|sbin|lib|boot|root|home|mnt|media|opt|srv|var|usr(?:\/(?:local(?:\/)?)?\w*)?)$/;

/** Each source with the path that it gets: below the last operand if that is a folder. */
function forEachSource(call: Call, act: (from: string, to: string) => void): void {
  const option = call.value("t target-directory");
  const sources = option === undefined ? call.operands.slice(0, -1) : call.operands;
  const to = option ?? call.operands.at(-1);
  if (to === undefined) return;
  const isFolder =
    option !== undefined ||
    sources.length > 1 ||
    /(?:^|\/)\.{0,2}$/.test(to) ||
    FOLDERS.test(to) ||
    (call.isFolder(to) ?? false);
  const isBelow = isFolder && !call.has("T no-target-directory");
  for (const from of sources) act(from, isBelow ? `${to}/${nameOf(from)}` : to);
}

/** Which names a pattern stands for is not known. */
function nameOf(path: string): string {
  const name = path.replace(/\/+$/, "").replace(/^.*\//s, "");
  return isGlob(name) ? UNKNOWN : name;
}

function changePermissions(call: Call): void {
  const name = call.has("R recursive") ? "permissions.recursive" : "permissions";
  const paths = call.operands.slice(call.value("reference") === undefined ? 1 : 0);
  if (paths.length > 0) call.effect(name, ...paths);
}

function makeAll(call: Call): void {
  for (const operand of call.operands) call.create(operand);
}

/** An answer that is known up to its folder, and made by this line. */
function makeTemporary(call: Call): void {
  const folder = call.value("p tmpdir") ?? call.variable("TMPDIR") ?? "/tmp";
  const path = `${folder}/tmp.made-by-mktemp`;
  call.create(path, true);
  call.print(path);
}
