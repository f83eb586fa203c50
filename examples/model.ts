import { type Model, modelFrom } from "@tenterhook/agent";
import { type Script, scriptedModel } from "@tenterhook/agent/testing";

const { OPENAI_BASE_URL: baseURL, OPENAI_MODEL: modelName = "gpt-4.1-mini" } = process.env;

/** Who answers, in words for the reader. */
export const whoAnswers = baseURL ? `${modelName} at ${baseURL}` : "a script (OPENAI_BASE_URL sets a model)";

/** The model at `OPENAI_BASE_URL`; without one a model that plays the script, so that no key is needed. */
export async function modelFor(script: Script): Promise<Model> {
  return baseURL ? modelFrom(`openai-compatible:${modelName}`) : scriptedModel(script);
}
