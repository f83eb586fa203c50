/** Providers of the AI SDK that have another name in the conventions. */
const CONVENTIONAL_NAMES = new Map([
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

/** `openai.responses` is one API of the provider `openai`. */
const API_SUFFIX = /\.(chat|completion|messages|responses)$/;

/** The provider's name in the OpenTelemetry conventions (`gen_ai.provider.name`), or its own name. */
export function providerName(provider: string): string {
  const name = provider.replace(API_SUFFIX, "");
  return CONVENTIONAL_NAMES.get(name) ?? name;
}
