import { spawnSync } from "node:child_process";
import { mkdir, readdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Program, type ProgramOptions, startProgram } from "../../testing/program.ts";
import { type LockOptions, lockFolder } from "./folder-lock.ts";

let parent: string;
let folder: string;
const programs: Program[] = [];

beforeEach(async () => {
  parent = temporaryFolder();
  folder = join(parent, "database");
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill("SIGKILL")));
});

function holdFolder(options: LockOptions = {}, how: ProgramOptions = {}, path = folder): Program {
  const program = startProgram({ name: "hold-folder", ...how }, path, JSON.stringify(options));
  programs.push(program);
  return program;
}

test("the lock refuses a folder that a living process holds, and names process and folder", async () => {
  const holder = holdFolder();
  expect(await holder.next()).toEqual({ held: holder.process.pid });
  const refused = lockFolder(folder);
  await expect(refused).rejects.toMatchObject({ code: "store_locked" });
  await expect(refused).rejects.toThrow(`${folder} is in use by process ${holder.process.pid}.`);
  expect(await holdFolder().next()).toMatchObject({ refused: "store_locked" });
});

test("the lock refuses a locked folder by another path to it", async () => {
  await symlink(parent, `${parent}-link`);
  try {
    await holdFolder().next();
    await expect(lockFolder(join(`${parent}-link`, "database"))).rejects.toMatchObject({
      code: "store_locked",
    });
  } finally {
    await rm(`${parent}-link`);
  }
});

test("the lock takes over at once from a process that was killed, and leaves nothing of it behind", async () => {
  const holder = holdFolder();
  await holder.next();
  await holder.kill("SIGKILL");
  const lock = await lockFolder(folder);
  await lock.release();
  expect(await readdir(`${folder}.lock`)).toEqual([]);
});

test("the lock refuses the same process a second time, until it has given the folder back", async () => {
  const lock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow("this process");
  await lock.release();
  await (await lockFolder(folder)).release();
});

test("the lock gives a dead process's folder to at most one of several processes at once", async () => {
  const dead = holdFolder();
  await dead.next();
  await dead.kill("SIGKILL");
  const outcomes = await Promise.all(Array.from({ length: 6 }, () => holdFolder().next()));
  expect(outcomes.filter((answer) => answer?.held !== undefined)).toHaveLength(1);
});

test("the lock refuses a folder whose process is only paused", async () => {
  const holder = holdFolder();
  await holder.next();
  holder.process.kill("SIGSTOP");
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: "store_locked" });
  holder.process.kill("SIGCONT");
});

test("the lock holds in a folder whose path is too long for a socket", async () => {
  folder = join(parent, "x".repeat(120), "database");
  await mkdir(join(parent, "x".repeat(120)));
  const holder = holdFolder();
  await holder.next();
  await expect(lockFolder(folder)).rejects.toMatchObject({ code: "store_locked" });
  await holder.kill("SIGKILL");
  await (await lockFolder(folder)).release();
});

/** A shell in a namespace of processes of its own, as a container has one: its numbers begin anew, and ours are not seen. */
const CONTAINER = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child", "--mount-proc"];
const hasContainers = spawnSync(CONTAINER[0] ?? "", [...CONTAINER.slice(1), "true"]).status === 0;

// Where namespaces are not permitted, a claim stands for a process that cannot be seen: only its socket shows that it is alive.
test("the lock is refused to a process that cannot see the holder's, with the same host name", async () => {
  const container = hasContainers ? { before: CONTAINER } : {};
  const holder = holdFolder({}, container);
  expect(await holder.next()).toHaveProperty("held");
  expect(await holdFolder({}, container).next()).toMatchObject({ refused: "store_locked" });
  await expect(lockFolder(folder)).rejects.toThrow(/in use by process \d+/);
  await holder.kill("SIGKILL");
  await expect.poll(() => holdFolder({}, container).next()).toHaveProperty("held");
});

describe("on a file system that other machines may reach", () => {
  const options: LockOptions = { isLocal: false, beatMs: 50, staleMs: 4_000 };

  test("the lock refuses a folder whose claim moves, and takes one over whose claim stands still", async () => {
    const holder = holdFolder(options);
    await holder.next();
    await expect(lockFolder(folder, options)).rejects.toMatchObject({ code: "store_locked" });
    await holder.kill("SIGKILL");
    await (await lockFolder(folder, options)).release();
  });

  test("a process that was paused learns that it has lost the folder before it does anything else", async () => {
    const holder = holdFolder(options);
    await holder.next();
    holder.process.stdin?.write("?\n");
    expect(await holder.next()).toEqual({ stillHeld: true });
    holder.process.kill("SIGSTOP");
    const lock = await lockFolder(folder, options);
    holder.process.stdin?.write("?\n");
    holder.process.kill("SIGCONT");
    expect(await holder.next()).toEqual({ stillHeld: false });
    expect(() => lock.check()).not.toThrow();
    await lock.release();
  });
});
