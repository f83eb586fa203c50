export { type PostgresServer, startPostgres } from "./postgres-server.ts";
export { freshPostgres } from "./shared-postgres.ts";
