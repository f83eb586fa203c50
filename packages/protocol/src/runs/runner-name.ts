import { z } from "zod";

/** What a runner calls itself. */
export const runnerName = z.string().min(1).max(200);

/** What a runner can do; a run goes to a runner that has all tags of its blueprint. */
export const runnerTags = z.array(z.string().min(1).max(63)).max(32);
