import { watch } from "node:fs";
import { readdir } from "node:fs/promises";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterEach, expect, test } from "vitest";
import { type Program, startProgram } from "../../testing/program.ts";
import { openDatabase } from "../open-database.ts";

let folder: string;
const programs: Program[] = [];

afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.kill("SIGKILL")));
});

function keepWriting(): Program {
  const program = startProgram("keep-writing", folder);
  programs.push(program);
  return program;
}

test("an embedded database keeps every confirmed transaction, whole, through kills at the first start and while it writes", async () => {
  // On a busy machine the folder may be whole before the signal arrives. Then another one is tried.
  do {
    folder = temporaryFolder();
    const begun = new Promise<void>((resolve) => {
      const watcher = watch(folder, (_event, name) => {
        if (name !== "database.unfinished") return;
        watcher.close();
        resolve();
      });
    });
    const first = keepWriting();
    await begun;
    await first.kill("SIGKILL");
  } while (!(await readdir(folder)).includes("database.unfinished"));

  // A linear congruential generator: the same moments in every run.
  let seed = 20261115;
  const random = (below: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return seed % below;
  };
  const confirmed: unknown[] = [];
  for (let round = 0; round < 4; round += 1) {
    const program = keepWriting();
    const found = Object.entries((await program.next())?.found ?? {});
    expect(found.map(([pair]) => pair)).toEqual(expect.arrayContaining(confirmed));
    expect(found.filter(([, rows]) => rows !== 2)).toEqual([]);
    await expect(openDatabase({ folder })).rejects.toThrow(`in use by process ${program.process.pid}`);

    for (let left = 10 + random(150); left > 0; left -= 1) confirmed.push((await program.next())?.confirmed);
    const dying = program.kill("SIGKILL");
    // What it had printed before it died counts as well.
    for (let line = await program.next(); line !== undefined; line = await program.next()) {
      confirmed.push(line.confirmed);
    }
    await dying;
  }
  expect(new Set(confirmed).size).toBe(confirmed.length);
});
