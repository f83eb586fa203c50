/**
 * After how many runs a plan takes the fast path: before that, a function of its own is not worth its compilation. Only tests of
 * the engine change it: 1 is at once, `Infinity` switches the fast path off. It is read once for each plan, so it costs a dispatch
 * nothing.
 */
export const fastPath = { runsUntilHot: 64 };
