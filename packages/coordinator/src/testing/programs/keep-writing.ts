// Writes pairs of rows into the embedded database of a folder until it is killed; prints what it found and what was confirmed.
import { openDatabase } from "../../database/open-database.ts";

const [folder = ""] = process.argv.slice(2);
const database = await openDatabase({ folder });
const rows = await database.run<{ pair: string; count: number }>({
  name: "",
  text: "select split_part(name, '/', 1) as pair, count(*) as count from settings group by 1",
});
console.log(JSON.stringify({ found: Object.fromEntries(rows.map(({ pair, count }) => [pair, count])) }));

const INSERT = { name: "insert", text: "insert into settings (name, value) values ($1, $2)" };
for (let number = rows.length; ; number += 1) {
  const pair = `${process.pid}-${number}`;
  await database.transaction(async (queries) => {
    await queries.run(INSERT, [`${pair}/one`, JSON.stringify("x".repeat(2_000))]);
    await queries.run(INSERT, [`${pair}/two`, JSON.stringify("y".repeat(2_000))]);
  });
  console.log(JSON.stringify({ confirmed: pair }));
}
