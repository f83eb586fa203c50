import { expect, test } from "vitest";
import { nextSort, readSort, type SortColumn, sortRows, writeSort } from "./sort-rows.ts";

interface Row {
  readonly name: string;
  readonly size: number;
}

const NAME: SortColumn<Row> = { key: "name", label: "Name", value: ({ name }) => name };
const SIZE: SortColumn<Row> = {
  key: "size",
  label: "Size",
  value: ({ size }) => size,
  isDescendingFirst: true,
};
const COLUMNS = [NAME, SIZE];
const ROWS: readonly Row[] = [
  { name: "agent-10", size: 2 },
  { name: "agent-9", size: 2 },
  { name: "Ärger", size: 10 },
];
const names = (text: string | undefined) =>
  sortRows(ROWS, COLUMNS, readSort(text, COLUMNS)).map(({ name }) => name);

test("names are sorted as people read them, numbers by their value", () => {
  expect(names(undefined)).toEqual(["agent-9", "agent-10", "Ärger"]);
  expect(names("-name")).toEqual(["Ärger", "agent-10", "agent-9"]);
  expect(names("size")).toEqual(["agent-9", "agent-10", "Ärger"]);
});

test("equal rows stay in the order of the first column, in both directions", () => {
  expect(names("-size")).toEqual(["Ärger", "agent-9", "agent-10"]);
});

test("an unknown key in the address means the default order, which is not written", () => {
  expect(names("-colour")).toEqual(names(undefined));
  expect(writeSort(readSort("nonsense", COLUMNS), COLUMNS)).toBeUndefined();
  expect(writeSort(readSort("-size", COLUMNS), COLUMNS)).toBe("-size");
});

test("a click sorts by a column in its first direction, a second one turns it around", () => {
  const first = nextSort(SIZE, readSort(undefined, COLUMNS));
  expect(first).toEqual({ key: "size", isDescending: true });
  expect(nextSort(SIZE, first)).toEqual({ key: "size", isDescending: false });
  expect(nextSort(NAME, first)).toEqual({ key: "name", isDescending: false });
});
