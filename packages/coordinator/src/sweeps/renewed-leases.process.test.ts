import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { connectPostgres, freshPostgres } from "@tenterhook/test-support";
import { expect, test } from "vitest";
import { TestCoordinator } from "../testing/test-coordinator.ts";

const echo: BlueprintInput = { name: "echo", type: "procedural", command: ["cat"] };

test("leases that could not be renewed while a coordinator was away begin anew when it starts", async () => {
  const url = await freshPostgres();
  const first = await TestCoordinator.open({ url, limits: { leaseSeconds: 60 } });
  await first.save(echo);
  const runner = await first.runner();
  const { run_id } = await first.start("echo");
  const run = await runner.claim();
  await runner.report(run, "started");
  await first.served.close();
  const admin = await connectPostgres(url);
  await admin.query("UPDATE runs SET lease_until = now() - interval '1 minute'");
  const second = await TestCoordinator.open({ url, folder: first.folder, limits: { leaseSeconds: 60 } });
  try {
    const { rows } = await until(() => admin.query("SELECT 1 FROM runs WHERE lease_until > now()"));
    expect(rows).toHaveLength(1);
    const { lease_token } = run;
    const sent = await second.admin.post<{ status: string }>(`/runner/runs/${run_id}/completed`, {
      lease_token,
    });
    expect(sent.status).toBe(200);
  } finally {
    await admin.end();
    await second.close();
  }
});

test("a statement that times out again for one row, while others succeed, sets that row aside", async () => {
  const url = await freshPostgres();
  const coordinator = await TestCoordinator.open({ url, limits: { leaseSeconds: 5 }, statementMs: 2_000 });
  const admin = await connectPostgres(url);
  try {
    await coordinator.save(echo);
    const runner = await coordinator.runner();
    const slow = await coordinator.start("echo");
    const claimed = await runner.claim();
    await runner.report(claimed, "started");
    // To fail this run takes longer than a statement may, unless it is set aside.
    await admin.query(`
      CREATE FUNCTION wait() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF NEW.error_code IS DISTINCT FROM 'set_aside' THEN PERFORM pg_sleep(60); END IF; RETURN NEW; END $$;
      CREATE TRIGGER wait BEFORE UPDATE ON runs FOR EACH ROW
        WHEN (NEW.id = '${slow.run_id}' AND NEW.finished_at IS NOT NULL) EXECUTE FUNCTION wait()`);
    const other = await coordinator.start("echo");
    await runner.report(await runner.claim(), "started");
    expect(await coordinator.ended(other.run_id)).toMatchObject({
      status: "failed",
      error_code: "runner_lost",
    });
    expect(await coordinator.ended(slow.run_id)).toMatchObject({ status: "failed", error_code: "set_aside" });
  } finally {
    await admin.end();
    await coordinator.close();
  }
});

async function until<T extends { rows: unknown[] }>(read: () => Promise<T>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found.rows.length > 0) return found;
  }
}
