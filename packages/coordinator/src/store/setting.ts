import type { Queries, Statement } from "../database/database.ts";

const READ: Statement = { name: "read-setting", text: "SELECT value FROM settings WHERE name = $1" };
const MAKE: Statement = {
  name: "make-setting",
  text: "INSERT INTO settings (name, value) VALUES ($1, $2::jsonb) ON CONFLICT (name) DO NOTHING",
};

/** A setting that all coordinators of a store share; the first of them sets it. */
export async function agreedSetting<T>(
  queries: Queries,
  name: string,
  proposal: () => T | Promise<T>,
): Promise<T> {
  const read = async () => (await queries.run<{ value: T }>(READ, [name]))[0];
  const known = await read();
  if (known !== undefined) return known.value;
  await queries.run(MAKE, [name, JSON.stringify(await proposal())]);
  const agreed = await read();
  if (agreed === undefined) throw new Error(`the setting ${name} was not stored`);
  return agreed.value;
}
