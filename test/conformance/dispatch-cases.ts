import { APPROVAL_CASES } from "./approval-cases.ts";
import type { Case } from "./case.ts";
import { CHANGE_CASES } from "./change-cases.ts";
import { EFFECT_CASES } from "./effect-cases.ts";
import { NOT_ENFORCED_CASES } from "./not-enforced-cases.ts";
import { ORDER_CASES } from "./order-cases.ts";

/** How hooks of one event work together. */
export const DISPATCH_CASES: readonly Case[] = [
  ...ORDER_CASES,
  ...CHANGE_CASES,
  ...APPROVAL_CASES,
  ...NOT_ENFORCED_CASES,
  ...EFFECT_CASES,
];
