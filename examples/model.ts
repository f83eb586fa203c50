import { type Model, modelFrom } from "@tenterhook/agent";
import { type Script, scriptedModel } from "@tenterhook/agent/testing";

const baseURL = process.env.OPENAI_BASE_URL;
const modelName = process.env.OPENAI_MODEL || "gpt-4.1-mini";

/** Who answers, in words for the reader. */
export const whoAnswers = baseURL
  ? `${modelName} at ${baseURL}`
  : "a script; set OPENAI_BASE_URL for a real one";

/** The model at `OPENAI_BASE_URL`; without one a model that plays the script, so that no key is needed. */
export async function modelFor(script: Script): Promise<Model> {
  return baseURL ? modelFrom(`openai-compatible:${modelName}`) : scriptedModel(script);
}
