import { EVENT_NAMES } from "@tenterhook/protocol";
import type { Hooks } from "../../hooks.ts";
import { type HookedAnswer, type HookedRequest, plainModel } from "../model-port.ts";
import { type HostRun, type RunInit, startRun } from "../run.ts";
import type { HostSupport } from "../support.ts";

const FULL = { level: "full", effects: [] } as const;

/** A framework that fires everything but compaction. */
const everything: HostSupport = {
  name: "Everything",
  events: Object.fromEntries(
    EVENT_NAMES.filter((event) => event !== "pre_compact").map((event) => [event, FULL]),
  ),
};

export function newRun(hooks: Hooks, init: Partial<RunInit> = {}): HostRun {
  return startRun(hooks, { agent: { id: "everything", name: "Everything" }, support: everything, ...init });
}

/** A model without a framework: requests and answers are what hooks see. `answers` are given one after another. */
export function plainPort(answers: readonly (string | HookedAnswer | Error)[]) {
  const requests: HookedRequest[] = [];
  const remaining = [...answers];
  const port = plainModel(async (request) => {
    requests.push(request);
    const answer = remaining.shift() ?? "";
    if (answer instanceof Error) throw answer;
    return typeof answer === "string" ? { text: answer, toolUses: [] } : answer;
  });
  return { port, requests };
}
