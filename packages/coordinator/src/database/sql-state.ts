/**
 * What an error of PostgreSQL means for the statement that met it:
 *
 * - `row`: the data cannot be stored. A repetition fails in the same way.
 * - `conflict`: with another transaction. The same work is repeated at once.
 * - `no_writes`: the server takes no writes from any client, as during a failover. It may later.
 * - `full`: its disk is full.
 * - `momentary`: the statement was cancelled, waited too long for a lock, or met a lack of memory or a broken file. It may succeed later.
 *   One that fails so for one row, again and again, while other writes succeed, has its cause in that row.
 * - `unreachable`: the connection has ended, or was not given. Another one may be, later.
 * - `denied`: the server does not let the coordinator in, or not at this table. A person has to change that; then it succeeds.
 * - `defect`: everything else. A statement of the coordinator is wrong, or the database is damaged.
 */
export type SqlMeaning =
  | "row"
  | "conflict"
  | "no_writes"
  | "full"
  | "momentary"
  | "unreachable"
  | "denied"
  | "defect";

/**
 * The decision about every class of PostgreSQL's errors, by its two characters, and about the codes that differ from their class:
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
export const SQL_MEANINGS: Readonly<Record<string, SqlMeaning>> = {
  // Successes and warnings, which are not errors.
  "00": "defect",
  "01": "defect",
  "02": "defect",
  "03": "defect",
  // Connections.
  "08": "unreachable",
  // What a statement must not do, by SQL or in PostgreSQL.
  "09": "defect",
  "0A": "defect",
  "0B": "defect",
  "0F": "defect",
  "0L": "defect",
  "0P": "defect",
  "0Z": "defect",
  "10": "defect",
  "20": "defect",
  "21": "defect",
  // Values that cannot be stored, and broken constraints.
  "22": "row",
  "23": "row",
  "24": "defect",
  // States of transactions. The exceptions: a server that is read-only, and time limits that end the connection.
  "25": "defect",
  "25006": "no_writes",
  "25P03": "unreachable",
  "25P04": "unreachable",
  "26": "defect",
  "27": "defect",
  // The user or the password.
  "28": "denied",
  "2B": "defect",
  "2D": "defect",
  "2F": "defect",
  "34": "defect",
  "38": "defect",
  "39": "defect",
  "3B": "defect",
  // The database does not exist: perhaps it is being restored.
  "3D": "denied",
  "3F": "defect",
  // A transaction was rolled back. 40003: it is unknown whether the statement was executed. 40002: a constraint.
  "40": "conflict",
  "40002": "row",
  "40003": "unreachable",
  // Syntax, names and types. 42501: a privilege was revoked.
  "42": "defect",
  "42501": "denied",
  "44": "row",
  // Resources: memory and configured limits; the disk; connections.
  "53": "momentary",
  "53100": "full",
  "53300": "unreachable",
  // Too large or too complex for PostgreSQL.
  "54": "row",
  // Objects that are not ready. 55000: also a database that accepts no connections. 55006, 55P03: in use, or locked.
  "55": "defect",
  "55000": "denied",
  "55006": "momentary",
  "55P03": "momentary",
  // Interventions: the server stops or starts, or ends connections. 57014: it cancelled one statement, by a time limit or a person's order.
  "57": "unreachable",
  "57014": "momentary",
  // Files of the server.
  "58": "momentary",
  // Until version 16: a snapshot that is too old.
  "72": "conflict",
  F0: "denied",
  HV: "defect",
  P0: "defect",
  XX: "defect",
};

/** What an SQLSTATE means. A class that is not in the table is a defect. */
export function sqlMeaning(code: string): SqlMeaning {
  return SQL_MEANINGS[code] ?? SQL_MEANINGS[code.slice(0, 2)] ?? "defect";
}
