import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type Program, startProgram } from "../../testing/program.ts";
import { lockFolder } from "./folder-lock.ts";
import { processStart } from "./process-start.ts";

const HOST = hostname().replace(/\..*/, "");

let parent: string;
let folder: string;
const programs: Program[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "tenterhook-lock-"));
  folder = join(parent, "database");
});

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill("SIGKILL")));
  await rm(parent, { recursive: true, force: true });
});

function holdFolder(path = folder): Program {
  const program = startProgram("hold-folder", path);
  programs.push(program);
  return program;
}

it("refuses a folder that a living process holds, and names process and folder", async () => {
  const holder = holdFolder();
  expect(await holder.next()).toEqual({ held: holder.process.pid });
  const refused = lockFolder(folder);
  await expect(refused).rejects.toMatchObject({ code: "store_locked" });
  await expect(refused).rejects.toThrow(`${folder} is in use by process ${holder.process.pid}.`);
  expect(await holdFolder().next()).toMatchObject({ refused: "store_locked" });
});

it("refuses it by another path to the same folder", async () => {
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

it("takes over from a process that was killed", async () => {
  const holder = holdFolder();
  await holder.next();
  await holder.kill("SIGKILL");
  const unlock = await lockFolder(folder);
  await unlock();
});

it("takes over when a later process got the number of the dead one", async () => {
  const holder = holdFolder();
  await holder.next();
  // What a process with our number would have left that started in another moment.
  await holder.kill("SIGKILL");
  await writeFile(join(`${folder}.lock`, `${process.pid}.1.${HOST}`), "");
  const unlock = await lockFolder(folder);
  expect(await readdir(`${folder}.lock`)).toEqual([`${process.pid}.${processStart(process.pid)}.${HOST}`]);
  await unlock();
});

it("leaves the claim of another machine alone, and says what to do", async () => {
  await mkdir(`${folder}.lock`);
  await writeFile(join(`${folder}.lock`, "7.1.elsewhere"), "");
  await expect(lockFolder(folder)).rejects.toThrow(
    /process 7 on elsewhere\. If that machine .* remove .*database\.lock/,
  );
});

it("refuses the same process a second time, until it has given the folder back", async () => {
  const unlock = await lockFolder(folder);
  await expect(lockFolder(folder)).rejects.toThrow("this process");
  await unlock();
  const again = await lockFolder(folder);
  await again();
});

it("gives a dead process's folder to at most one of several that come at once", async () => {
  const dead = holdFolder();
  await dead.next();
  await dead.kill("SIGKILL");
  const said = await Promise.all(Array.from({ length: 6 }, () => holdFolder().next()));
  expect(said.filter((answer) => answer?.held !== undefined)).toHaveLength(1);
});
