import { spawn, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmod, chown, stat } from "node:fs/promises";
import { join } from "node:path";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { TestCoordinator } from "../../testing/test-coordinator.ts";

const hasNamespaces = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]).status === 0;

/** A disk of 24 MB that the server's account sees, in a namespace that needs no rights. Returns its path. */
async function smallDisk({ uid, gid }: { readonly uid: number; readonly gid: number }): Promise<string> {
  const folder = temporaryFolder();
  await chmod(folder, 0o755);
  await chown(folder, uid, gid);
  const script = 'mount -t tmpfs -o size=24m tmpfs "$0" && mkdir "$0/space" && echo mounted && exec cat';
  const words = ["--user", "--map-root-user", "--mount", "sh", "-c", script, folder];
  const holder = spawn("unshare", words, { uid, gid, cwd: "/", stdio: ["pipe", "pipe", "inherit"] });
  const [printed] = await Promise.race([once(holder.stdout, "data"), once(holder, "close")]);
  expect(String(printed)).toBe("mounted\n");
  onTestFinished(async () => {
    const ended = once(holder, "close");
    holder.stdin.end();
    await ended;
  });
  return join(`/proc/${holder.pid}/root`, folder);
}

test.runIf(hasNamespaces)(
  "a coordinator answers 507 while a PostgreSQL server has no disk space, and continues when there is some again",
  async () => {
    const url = await freshPostgres();
    const admin = new pg.Client(url);
    await admin.connect();
    const { rows } = await admin.query<{ data_directory: string }>("SHOW data_directory");
    const { uid, gid } = await stat(rows[0]?.data_directory ?? "");
    const disk = await smallDisk({ uid, gid });
    // In that namespace there is no other account.
    const shell = (script: string) => spawnSync("sh", ["-c", script], { cwd: "/", uid, gid });
    const name = `small_${process.pid}`;
    await admin.query(`CREATE TABLESPACE ${name} LOCATION '${disk}/space'`);
    await admin.query(`CREATE DATABASE ${name} TABLESPACE ${name}`);
    const address = new URL(url);
    address.pathname = `/${name}`;
    const coordinator = await TestCoordinator.open({ url: address.href });
    try {
      await coordinator.save({ name: "echo", type: "procedural", command: ["cat"] });
      // By chance, because the server compresses what repeats itself.
      const parameters = () => ({ text: randomBytes(50_000).toString("base64") });
      const start = async () =>
        (await coordinator.admin.post("/runs", { agent_name: "echo", parameters: parameters() })).status;
      expect(await start()).toBe(201);
      const ballast = join(disk, "ballast");
      shell(`head -c 24000000 /dev/zero > ${ballast}`);
      await expect.poll(start, { interval: 0 }).toBe(507);
      await expect.poll(async () => (await coordinator.admin.get("/readyz")).status).toBe(503);
      shell(`rm ${ballast}`);
      await expect.poll(start).toBe(201);
      await expect.poll(async () => (await coordinator.admin.get("/readyz")).status).toBe(200);
      // Reported once by each loop that met it; the coordinator itself continues.
      expect(coordinator.errors.filter((error) => !/No space left/.test(String(error)))).toEqual([]);
    } finally {
      await coordinator.close();
      await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
      await admin.query(`DROP TABLESPACE ${name}`);
      await admin.end();
    }
  },
);
