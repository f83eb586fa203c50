import { expect, test } from "vitest";
import { detailOf } from "../run/timeline/timeline-fixtures.ts";
import { runsCsv } from "./runs-csv.ts";

const rowOf = (error: string) => runsCsv([detailOf({ error })]).split("\r\n")[1];

test("the first line names the columns, and missing values are empty", () => {
  const [head, row] = runsCsv([detailOf()]).split("\r\n");
  expect(head).toMatch(/^run_id,agent_name,status,/);
  expect(row).toBe("run_1,worker,running,client,ses_1,,1,2026-11-15T10:00:00.000Z,,,,,,,,");
});

test("quotes, commas and line breaks do not end a cell", () => {
  expect(rowOf('say "no", please')).toContain(',"say ""no"", please",');
  expect(runsCsv([detailOf({ error: "one\ntwo" })])).toContain('"one\ntwo"');
});

test("a text that a spreadsheet would run as a formula is a text", () => {
  expect(rowOf("=HYPERLINK(1)")).toContain(",'=HYPERLINK(1),");
});
