import type { Suite } from "../measure.ts";
import { langChainRun } from "./langchain.ts";

/** What hooks add to a run of an agent inside another framework. */
export const adaptersSuite: Suite = { langChainRun };
