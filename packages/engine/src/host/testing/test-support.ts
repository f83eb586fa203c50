import { EVENT_NAMES } from "@tenterhook/protocol";
import type { Hooks } from "../../hooks.ts";
import type { HostSupport } from "../effects.ts";
import { HookedRun, type HostOptions } from "../hooked-run.ts";
import type { ModelAnswer, ModelForm, ModelRequest } from "../model-form.ts";

const FULL = { level: "full", effects: [] } as const;

/** A framework that fires everything but compaction. */
const everything: HostSupport = {
  name: "Everything",
  events: Object.fromEntries(
    EVENT_NAMES.filter((event) => event !== "pre_compact").map((event) => [event, FULL]),
  ),
};

export function newRun(hooks: Hooks, options: HostOptions = {}, signal?: AbortSignal): HookedRun {
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
