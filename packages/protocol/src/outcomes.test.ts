import { describe, expect, test } from "vitest";
import {
  ask,
  block,
  isBlocked,
  isStopped,
  OUTCOME_TYPES,
  type Outcome,
  proceed,
  reasonOf,
  recover,
  skip,
  stop,
} from "./outcomes.ts";

describe("an outcome", () => {
  test.each<[string, Outcome, Outcome]>([
    ["proceed()", proceed(), { type: "proceed" }],
    ["proceed(patch)", proceed({ message: "hi" }), { type: "proceed", patch: { message: "hi" } }],
    ["proceed(undefined, context)", proceed(undefined, { context: "c" }), { type: "proceed", context: "c" }],
    [
      "proceed(patch, context)",
      proceed({ message: "hi" }, { context: "c" }),
      { type: "proceed", patch: { message: "hi" }, context: "c" },
    ],
    ["block(reason)", block("no"), { type: "block", reason: "no" }],
    ["stop(reason)", stop("enough"), { type: "stop", reason: "enough" }],
    ["skip()", skip(), { type: "skip" }],
    ["skip(result)", skip({ cached: true }), { type: "skip", result: { cached: true } }],
    ["skip(null)", skip(null), { type: "skip", result: null }],
    ["skip(false)", skip(false), { type: "skip", result: false }],
    ["ask(reason)", ask("sure?"), { type: "ask", reason: "sure?" }],
    ["recover()", recover(), { type: "recover" }],
    ["recover(result)", recover(0), { type: "recover", result: 0 }],
  ])("made by %s holds exactly what was given, and no absent field as undefined", (_, outcome, expected) => {
    expect(outcome).toStrictEqual(expected);
  });

  test.each<Outcome>([proceed(), proceed({ a: 1 }), block("x"), stop("x"), skip(1), ask("x"), recover(1)])(
    "of type $type cannot be changed afterwards",
    (outcome) => {
      expect(Object.isFrozen(outcome)).toBe(true);
    },
  );

  test("survives JSON as the same outcome", () => {
    for (const outcome of [
      proceed({ a: 1 }, { context: "c" }),
      block("x"),
      stop("x"),
      skip(1),
      ask("x"),
      recover(),
    ]) {
      expect(JSON.parse(JSON.stringify(outcome))).toStrictEqual(outcome);
    }
  });

  test("of every type can be made, and no other", () => {
    const made = [proceed(), block(""), stop(""), skip(), ask(""), recover()].map(({ type }) => type);
    expect(made).toEqual(OUTCOME_TYPES);
  });

  test.each<[Outcome, string | undefined]>([
    [proceed(undefined, { context: "c" }), undefined],
    [block("no"), "no"],
    [stop("enough"), "enough"],
    [skip("a result is no reason"), undefined],
    [ask("sure?"), "sure?"],
    [recover("a result is no reason"), undefined],
  ])("like %o has the reason %s", (outcome, reason) => {
    expect(reasonOf(outcome)).toBe(reason);
  });

  test("is recognised by its type alone", () => {
    const all = [proceed(), block("x"), stop("x"), skip(), ask("x"), recover()];
    expect(all.filter(isBlocked)).toEqual([block("x")]);
    expect(all.filter(isStopped)).toEqual([stop("x")]);
  });
});
