import { connectPostgres } from "@tenterhook/test-support";
import type { ProcessFleet } from "./process-fleet.ts";

/** Makes the server of a fleet refuse writes, or everything. Resolves when it does, to the function that ends it. */
export type Outage = (fleet: ProcessFleet) => Promise<() => Promise<void>>;

type Client = Awaited<ReturnType<typeof connectPostgres>>;

/** Connections of coordinators. */
const COORDINATORS = "application_name = 'tenterhook'";
const CUT = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${COORDINATORS}`;
const TOO_MANY_CONNECTIONS = "53300";

/** Read-only for all clients, as a server is during a failover. */
export const readOnly: Outage = async (fleet) => {
  await setForAll(fleet, "default_transaction_read_only", "on");
  return () => setForAll(fleet, "default_transaction_read_only", undefined);
};

/** All connections are cut, and new ones are refused writes: a failover to a server that is not promoted yet. */
export const cutAndReadOnly: Outage = async (fleet) => {
  const end = await readOnly(fleet);
  await asAdmin(fleet, (admin) => admin.query(CUT));
  return end;
};

/** The server is away. */
export const away: Outage = async ({ postgres }) => {
  await postgres?.stop();
  return async () => postgres?.start();
};

/** Others use all connections. */
export const exhausted: Outage = async (fleet) => {
  const others: Client[] = [];
  await asAdmin(fleet, async (admin) => {
    for (let isFull = false; !isFull; ) {
      await admin.query(CUT);
      while (await connect(fleet, others));
      const { rows } = await admin.query(
        `SELECT count(*) AS count FROM pg_stat_activity WHERE ${COORDINATORS}`,
      );
      isFull = rows[0]?.count === "0";
    }
  });
  return async () => {
    await Promise.all(others.map((client) => client.end()));
  };
};

/** Every statement that writes to the table of runs takes longer than the time limit. */
export const slow: Outage = async ({ databaseUrl }) => {
  const client = await connectPostgres(databaseUrl);
  await client.query(`
    CREATE FUNCTION sleep() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN PERFORM pg_sleep(60); RETURN NULL; END $$;
    CREATE TRIGGER sleep BEFORE INSERT OR UPDATE OR DELETE ON runs FOR EACH STATEMENT EXECUTE FUNCTION sleep()`);
  return async () => {
    await client.query("DROP FUNCTION sleep CASCADE");
    await client.end();
  };
};

/** A lock on the table of runs lets every write to it wait until the time limit for locks. */
export const locked: Outage = async ({ databaseUrl }) => {
  const client = await connectPostgres(databaseUrl);
  await client.query("BEGIN");
  await client.query("LOCK TABLE runs IN EXCLUSIVE MODE");
  return () => client.end();
};

/** The disk of its tables is full. */
export const diskFull: Outage = async ({ tablespace }) => {
  if (tablespace === undefined) throw new Error("the plan of this fleet has no small disk");
  tablespace.fill();
  return async () => tablespace.free();
};

/** Sets a parameter for every connection, those that exist included. */
async function setForAll(fleet: ProcessFleet, name: string, value: string | undefined): Promise<void> {
  await asAdmin(fleet, async (admin) => {
    await admin.query("SET default_transaction_read_only = off");
    await admin.query(
      value === undefined ? `ALTER SYSTEM RESET ${name}` : `ALTER SYSTEM SET ${name} = '${value}'`,
    );
    await admin.query("SELECT pg_reload_conf()");
  });
  // Connections learn of it one after the other; a new one shows that the server has read it.
  const wanted = value ?? "";
  for (let current: string | undefined; current === undefined; ) {
    current = await asAdmin(fleet, async (admin) => {
      const { rows } = await admin.query(`SELECT setting, source FROM pg_settings WHERE name = '${name}'`);
      const isSet = rows[0]?.source === "configuration file";
      return isSet === (wanted !== "") ? String(rows[0]?.setting) : undefined;
    });
  }
}

async function asAdmin<T>({ postgres }: ProcessFleet, work: (admin: Client) => Promise<T>): Promise<T> {
  const admin = await connectPostgres(postgres?.url());
  try {
    return await work(admin);
  } finally {
    await admin.end();
  }
}

/** Opens one more connection; false when the server gives none. */
async function connect({ postgres }: ProcessFleet, others: Client[]): Promise<boolean> {
  try {
    others.push(await connectPostgres(postgres?.url()));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === TOO_MANY_CONNECTIONS) return false;
    throw error;
  }
}
