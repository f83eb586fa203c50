/**
 * A flag of V8 with which an embedded database opens in half the time. Its code is then compiled once, as it is needed, and never
 * optimised, which pays only for processes that live longer than a test.
 */
export const QUICK_START = "--liftoff-only";
