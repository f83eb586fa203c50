import { expect, test } from "vitest";
import { childrenText, listFilters } from "./session-links.ts";

test("without a search only roots are listed, and a search finds sessions at any depth", () => {
  expect(listFilters({})).toEqual({ parent: "none" });
  expect(listFilters({ agent: "", search: "" })).toEqual({ parent: "none" });
  expect(listFilters({ agent: "echo" })).toEqual({ agent: "echo" });
  expect(listFilters({ search: "ses_1", agent: "echo" })).toEqual({ agent: "echo", search: "ses_1" });
});

test("the singular is used for one session", () => {
  expect([childrenText(1), childrenText(2)]).toEqual(["1 session", "2 sessions"]);
});
