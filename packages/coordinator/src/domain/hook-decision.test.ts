import { describe, expect, test } from "vitest";
import { decide } from "./hook-decision.ts";

const answered = (value: unknown) => ({ type: "answered", value }) as const;

describe("a start hook", () => {
  test.each([
    [
      { action: "continue", parameters: { a: 1 } },
      { type: "continue", changes: { parameters: { a: 1 } } },
    ],
    [{ action: "continue" }, { type: "continue", changes: {} }],
    [
      { action: "block", block_reason: "no" },
      { type: "block", reason: "no" },
    ],
    [
      { action: "ask", reason: "sure?" },
      { type: "ask", reason: "sure?" },
    ],
  ])("that answers %j has decided %j", (value, decision) => {
    expect(decide("on_run_start", "block", answered(value))).toEqual(decision);
  });

  test.each([[{ action: "continue", parameters: null }], [{ action: "stop" }], [{}], ["ok"], [null]])(
    "that answers %j has failed",
    (value) => {
      expect(decide("on_run_start", "block", answered(value))).toMatchObject({
        type: "failed",
        blocks: true,
      });
      expect(decide("on_run_start", "continue", answered(value))).toMatchObject({
        type: "failed",
        blocks: false,
      });
    },
  );

  test.each([
    [{ action: "block" }],
    [{ action: "block", block_reason: "" }],
    [{ action: "block", block_reason: 7 }],
  ])("that answers %j blocks with any on_error: a refusal needs no reason", (value) => {
    expect(decide("on_run_start", "continue", answered(value))).toEqual({
      type: "block",
      reason: "no reason given",
    });
  });

  test("whose agent does not accept the envelope blocks with any on_error", () => {
    expect(decide("on_run_start", "continue", { type: "unfit", error: "no" })).toMatchObject({
      blocks: true,
    });
  });

  test("that took too long has failed, by its on_error", () => {
    const reply = { type: "failed", error: "it took too long", timedOut: true } as const;
    expect(decide("on_run_start", "continue", reply)).toMatchObject({ timedOut: true, blocks: false });
  });
});

test.each(["on_run_finish", "on_run_error", "on_timeout"] as const)(
  "%s can change and block nothing",
  (type) => {
    for (const value of [{}, { action: "block", block_reason: "no" }, "text", null]) {
      expect(decide(type, "block", answered(value))).toEqual({ type: "continue", changes: {} });
    }
  },
);
