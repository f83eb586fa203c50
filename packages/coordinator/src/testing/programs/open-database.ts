// Opens a server's database, which migrates it, and prints the outcome.
import { openDatabase } from "../../database/open-database.ts";

const [url] = process.argv.slice(2);
const database = await openDatabase({ url, folder: "" });
console.log(
  JSON.stringify({ migrations: await database.run({ name: "", text: "select number from migrations" }) }),
);
await database.close();
