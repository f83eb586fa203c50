import type { Hooks } from "@tenterhook/engine";
import { EVENT_NAMES } from "@tenterhook/protocol";
import type { AdapterOptions } from "../adapter-options.ts";
import { HookedRun } from "../hooked-run.ts";
import type { ModelAnswer, ModelForm, ModelRequest } from "../model-form.ts";
import type { AdapterSupport } from "../support.ts";

const FULL = { level: "full", effects: [], by: "a test" } as const;

/** A framework that fires everything but compaction. */
export const everything: AdapterSupport = {
  adapter: "ai-sdk",
  name: "Everything",
  peer: { package: "everything", range: "^1.0.0", versions: ["1.2.0"] },
  events: Object.fromEntries(
    EVENT_NAMES.filter((event) => event !== "pre_compact").map((event) => [event, FULL]),
  ),
  around: { around_llm: "a test", around_tool: "a test" },
};

export function newRun(hooks: Hooks, options: AdapterOptions = {}, signal?: AbortSignal): HookedRun {
  return new HookedRun(hooks, { support: everything, options, signal });
}

/** A model without a framework: requests and answers are what hooks see. `answers` are given one after another. */
export function plainForm(answers: readonly (string | ModelAnswer | Error)[]) {
  const requests: ModelRequest[] = [];
  const remaining = [...answers];
  const form: ModelForm<ModelRequest, ModelAnswer> = {
    readRequest: (request) => request,
    changeRequest: (request, changes) => ({ ...request, ...changes }),
    async call(request, model) {
      requests.push(model === undefined ? request : { ...request, model });
      const answer = remaining.shift() ?? "";
      if (answer instanceof Error) throw answer;
      return typeof answer === "string" ? { text: answer, toolUses: [] } : answer;
    },
    readAnswer: (answer) => answer,
    changeAnswer: (answer, changes) => ({ ...answer, ...changes }),
    createResponse: (answer) => answer,
    addFeedback: (request, content) => ({
      ...request,
      messages: [...request.messages, { role: "user", content }],
    }),
  };
  return { form, requests };
}
