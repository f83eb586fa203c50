import { expect, test } from "vitest";
import { providerName } from "./gen-ai-attributes.ts";

test.each([
  ["openai.responses", "openai"],
  ["openai.chat", "openai"],
  ["anthropic.messages", "anthropic"],
  ["azure.chat", "azure.ai.openai"],
  ["azure-openai.responses", "azure.ai.openai"],
  ["amazon-bedrock", "aws.bedrock"],
  ["bedrock.anthropic.messages", "aws.bedrock"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex.chat", "gcp.vertex_ai"],
  ["vertex.anthropic.messages", "gcp.vertex_ai"],
  ["mistral.chat", "mistral_ai"],
  ["moonshotai.chat", "moonshot_ai"],
  ["xai.responses", "x_ai"],
  ["groq.chat", "groq"],
  ["perplexity", "perplexity"],
  ["scripted", "scripted"],
])("the provider %s is called %s", (provider, name) => {
  expect(providerName(provider)).toBe(name);
});

test("a custom server keeps its configured name", () => {
  expect(providerName("basement.gpu-2.chat")).toBe("basement.gpu-2");
  expect(providerName("constructor")).toBe("constructor");
});
