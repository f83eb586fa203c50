/** Providers of the AI SDK that the conventions call something else. What is not here has one name. */
const CONVENTIONAL = new Map([
  ["amazon-bedrock", "aws.bedrock"],
  ["azure", "azure.ai.openai"],
  ["azure-openai", "azure.ai.openai"],
  ["bedrock", "aws.bedrock"],
  ["bedrock.anthropic", "aws.bedrock"],
  ["google", "gcp.gen_ai"],
  ["google.generative-ai", "gcp.gemini"],
  ["google.vertex", "gcp.vertex_ai"],
  ["mistral", "mistral_ai"],
  ["moonshotai", "moonshot_ai"],
  ["vertex.anthropic", "gcp.vertex_ai"],
  ["xai", "x_ai"],
]);

/** `openai.responses` is OpenAI, asked in one of its ways. */
const WAY_OF_ASKING = /\.(chat|completion|messages|responses)$/;

/** A model's provider by the name that OpenTelemetry knows it by (`gen_ai.provider.name`), else by its own. */
export function providerName(provider: string): string {
  const name = provider.replace(WAY_OF_ASKING, "");
  return CONVENTIONAL.get(name) ?? name;
}
