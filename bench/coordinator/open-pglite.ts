// The least that a program with an embedded database does: `node open-pglite.js FOLDER`. Prints a line when it is open.
import { PGlite } from "@electric-sql/pglite";

const pglite = await PGlite.create(process.argv[2]);
await pglite.query("select 1");
console.log("open");
await pglite.close();
