import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { nativeFolder } from "@tenterhook/test-support";
import { expect, test } from "vitest";
import { isConflict, isOwnDelay, isRowFault, isUnavailable, SqlError } from "./sql-error.ts";
import { SQL_MEANINGS, sqlMeaning } from "./sql-state.ts";

/** All codes of the installed server. */
async function allCodes(): Promise<readonly string[]> {
  const text = await readFile(join(nativeFolder(), "share", "postgresql", "errcodes.txt"), "utf8");
  return text.split("\n").flatMap((line) => /^([0-9A-Z]{5})\s/.exec(line)?.[1] ?? []);
}

test("every class of the server's errors is decided, and every exception is a code of the server", async () => {
  const codes = await allCodes();
  expect(codes.length).toBeGreaterThan(200);
  const classes = new Set(codes.map((code) => code.slice(0, 2)));
  expect([...classes].filter((name) => SQL_MEANINGS[name] === undefined)).toEqual([]);
  const exceptions = Object.keys(SQL_MEANINGS).filter((name) => name.length === 5);
  expect(exceptions.filter((code) => !codes.includes(code))).toEqual([]);
});

test.each([
  // What is lost today when it is answered with 500: failovers, time limits, locks, resources.
  ["25006", "no_writes"],
  ["57014", "momentary"],
  ["55P03", "momentary"],
  ["53200", "momentary"],
  ["53400", "momentary"],
  ["58030", "momentary"],
  ["53100", "full"],
  ["53300", "unreachable"],
  ["57P01", "unreachable"],
  ["57P03", "unreachable"],
  ["25P03", "unreachable"],
  ["08006", "unreachable"],
  ["40003", "unreachable"],
  ["28P01", "denied"],
  ["3D000", "denied"],
  ["42501", "denied"],
  ["55000", "denied"],
  ["40001", "conflict"],
  ["40P01", "conflict"],
  ["22P05", "row"],
  ["23505", "row"],
  ["54000", "row"],
  ["42P01", "defect"],
  ["25P02", "defect"],
  ["P0001", "defect"],
  ["XX000", "defect"],
  ["ZZ999", "defect"],
])("%s means %s", (code, meaning) => {
  expect(sqlMeaning(code)).toBe(meaning);
});

test("a statement is repeated later for every meaning but the fault of a row and a defect", async () => {
  for (const code of await allCodes()) {
    const error = new SqlError({ code });
    const meaning = sqlMeaning(code);
    expect([code, isRowFault(error)]).toEqual([code, meaning === "row"]);
    expect([code, isConflict(error)]).toEqual([code, meaning === "conflict"]);
    expect([code, isUnavailable(error)]).toEqual([code, meaning !== "row" && meaning !== "defect"]);
    expect([code, isOwnDelay(error)]).toEqual([code, meaning === "momentary"]);
  }
});
