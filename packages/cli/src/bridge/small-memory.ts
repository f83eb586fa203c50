/**
 * How Node is started as a resident process. It starts a process for every hook, and that takes longer the more memory it has, because the
 * system copies a table of all of it. So its garbage is collected early, and by one thread, each of which has memory of its own.
 */
export const SMALL_MEMORY: readonly string[] = ["--max-semi-space-size=4", "--v8-pool-size=1"];
