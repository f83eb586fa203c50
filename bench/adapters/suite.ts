import type { Suite } from "../measure.ts";
import { aiSdkRun } from "./ai-sdk.ts";
import { langChainRun } from "./langchain.ts";

/** What hooks add to a run of an agent inside another framework. */
export const adaptersSuite: Suite = { aiSdkRun, langChainRun };
