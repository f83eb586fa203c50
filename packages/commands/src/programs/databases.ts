import { CLASSES, isKnown, UNKNOWN } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Clients of databases, and tools that migrate them. */
export const DATABASES: Programs = {
  "psql pgcli cockroach": {
    values:
      "c command f file d dbname h host p port U username v set variable o output e execute url P pset F R T",
    run: (call) => runStatements(call, "c command e execute", "f file"),
  },
  "mysql mariadb mycli": {
    values:
      "e execute D database h host P port u user p? password? S socket default-character-set defaults-file protocol",
    run: (call) => runStatements(call, "e execute", ""),
  },
  "sqlite3 sqlite duckdb": {
    style: "dash",
    values: "cmd init=read separator newline nullvalue c f",
    run: (call) => runStatements(call, "cmd c", "f", call.operands.slice(1)),
  },
  "clickhouse-client clickhouse cqlsh sqlcmd usql trino presto snowsql influx sqlplus dolt": {
    values: "q query Q e execute c command f file i d database h host u user p password S U P k",
    run: (call) => runStatements(call, "q query Q e execute c command", "f file i", call.operands.slice(1)),
  },
  "mongosh mongo": {
    values: "eval f file u username p password host port authenticationDatabase",
    run: (call) => runStatements(call, "eval", "f file"),
  },
  "redis-cli valkey-cli": {
    values: "h p a n u s r i user pass",
    run: (call) => {
      const text = [call.operands.join(" "), call.input].join("\n");
      const isMany =
        /^(?:del|unlink)$/i.test(call.operands[0] ?? "") && call.operands.some((word) => !isKnown(word));
      if (isMany || /^\s*(?:flushall|flushdb)\b|script flush|function flush/im.test(text))
        call.effect("destroy_remote");
      call.print(UNKNOWN);
    },
  },
  "dropdb dropuser": { values: "h host p port U username", effects: "destroy_remote", operands: "name*" },
  mysqladmin: {
    values: "h host P port u user p?",
    commands: { drop: { effects: "destroy_remote", operands: "name" } },
  },
  "pg_dump pg_dumpall mysqldump mariadb-dump mongodump": {
    values:
      "h host p? port U username u user f=write file=write r=write result-file=write d dbname t table n schema F format o=write out=write",
    run: (call) => call.print(CLASSES.folder),
  },
  pg_restore: {
    values: "h host p port U username d dbname F format j jobs t table f file",
    switches: "clean list",
    harmless: "l list",
    when: { "c clean": { effects: "destroy_remote" } },
  },
  mongorestore: {
    values: "d db c collection host port u p uri",
    when: { drop: { effects: "destroy_remote" } },
  },
  // Tools of frameworks.
  "rails rake artisan php-artisan prisma knex sequelize sequelize-cli typeorm drizzle-kit alembic flyway liquibase diesel sqlx dbmate migrate":
    { run: resetDatabase },
};

const TOOL_RESET =
  /^flyway (?:.* )?clean\b| (?:db:(?:drop|reset|wipe|purge|migrate:reset|schema:load|structure:load|setup|truncate_all)(?::\w+)?|migrate:(?:fresh|reset|refresh)|migrate reset|schema:drop|downgrade base|drop-all|database (?:reset|drop)|drop|db:migrate:undo:all)(?: |$)/;

function resetDatabase(call: Call): void {
  const text = [call.name, ...call.words].join(" ");
  const isByOption =
    / db push| migrate:rollback/.test(text) && / --(?:force-reset|accept-data-loss|all)\b/.test(text);
  if (isByOption || TOOL_RESET.test(text)) call.effect("destroy_remote");
}

const SQL_DESTROY =
  /\bdrop\s+(?:table|database|schema|keyspace|collection|index|view|materialized\s+view|user|role|tablespace|owned|bucket|measurement)\b|\btruncate\b(?!\s*\()|\bdelete\s+from\s+[^\s;]+\s*(?:where\s+(?:1\s*=\s*1|true)\s*)?(?:;|$)/im;
const MONGO_DESTROY =
  /\bdropDatabase\s*\(|\.drop(?:Indexes|User|Role)?\s*\(|\.(?:deleteMany|remove)\s*\(\s*\{\s*\}/;

/** Statements in options, in files, as words, or from the input. `\!` and `.shell` start a shell. */
function runStatements(call: Call, codes: string, files: string, words: readonly string[] = []): void {
  const scripts = call.values(files).map((path) => (path === "-" ? call.input : call.read(path)));
  const text = [...call.values(codes), ...words, ...scripts, call.input].join("\n");
  const plain = text.replace(/--[^\n]*|\/\*.*?(?:\*\/|$)|'(?:[^'\\]|\\.)*'/gs, " ");
  const isMongo = call.name.startsWith("mongo");
  if (isMongo ? MONGO_DESTROY.test(text) : SQL_DESTROY.test(plain)) call.effect("destroy_remote");
  for (const [, command = ""] of text.matchAll(/(?:^|[\s;])(?:\\!|\.shell|\.system)\s+([^\n]+)/g))
    call.startText(command);
  for (const [, command = ""] of text.matchAll(/\b(?:to|from)\s+program\s+'([^']*)'/gi))
    call.startText(command);
  call.print(UNKNOWN);
}
