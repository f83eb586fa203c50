import { defineConfig } from "drizzle-kit";

// `npm run migration -w @tenterhook/coordinator` writes what has changed in the schema as the next migration.
export default defineConfig({
  dialect: "postgresql",
  schema: "./schema/index.ts",
  out: "./migrations",
});
