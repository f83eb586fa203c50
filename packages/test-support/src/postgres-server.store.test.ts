import { chmod, cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test } from "vitest";
import { nativeFolder } from "./postgres-binaries.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";

let folder: string | undefined;
let server: PostgresServer | undefined;

afterEach(async () => {
  await server?.remove();
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  server = undefined;
  folder = undefined;
});

test("PostgreSQL starts from a private folder whose path has spaces and letters of other scripts", async () => {
  folder = await mkdtemp(join(tmpdir(), "tenterhook ünïcode Ж-"));
  await chmod(folder, 0o700);
  const native = join(folder, "native");
  await cp(nativeFolder(), native, { recursive: true, verbatimSymlinks: true });

  server = await startPostgres(undefined, native);

  expect(await answerOf(await server.freshDatabase())).toBe(1);
});

test("PostgreSQL that cannot run is reported in one line with the reason", async () => {
  folder = await mkdtemp(join(tmpdir(), "tenterhook-empty-"));
  const error: unknown = await startPostgres(undefined, folder).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(Error);
  expect((error as Error).message).toMatch(/^PostgreSQL cannot run here: [^\n]+$/);
});

async function answerOf(url: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("select 1 as one");
    return rows[0]?.one;
  } finally {
    await client.end();
  }
}
