import { ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { aiSdkModel } from "./ai-sdk-model.ts";
import { ConfigFields } from "./config-fields.ts";
import type { Model } from "./model.ts";
import { languageModel, type ProviderSettings } from "./provider-package.ts";

/** Environment variables by their names. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** A model of a provider of the AI SDK: `anthropic` is the npm package `@ai-sdk/anthropic`. */
export interface ProviderModelConfig {
  readonly provider: string;
  readonly model: string;
  /** Default: the provider's own; needed for `openai-compatible`. */
  readonly baseURL?: string | undefined;
  /** The environment variable with the key. Default: the one that the provider's package reads, if any. */
  readonly apiKeyEnv?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** The provider's name in traces and in `providerOptions`. */
  readonly name?: string | undefined;
  /** Only `openai-compatible`: whether the server accepts a JSON Schema for the answer. Default `true`. */
  readonly structuredOutputs?: boolean | undefined;
}

/** A model that answers from a script, without a provider. */
export interface ScriptedModelConfig {
  readonly provider: "scripted";
  /** Turns as JSON; see `parseScript`. */
  readonly script: readonly unknown[];
  readonly repeat?: boolean | undefined;
}

/** A model as data: an object, or `provider:model` for short. */
export type ModelConfig = string | ProviderModelConfig | ScriptedModelConfig;

const COMPATIBLE = "openai-compatible";
const COMMON_FIELDS = ["provider", "model", "baseURL", "apiKeyEnv", "headers", "name"];
const FORMS = 'Write "anthropic:claude-…", "openai-compatible:model" or { provider, model }.';

/**
 * Creates a model from its configuration. Rejects with `bad_agent`, the field and a hint if it is invalid; keys are read from `env`
 * only, and no error repeats a value.
 */
export async function modelFrom(config: ModelConfig, env: Environment = process.env): Promise<Model> {
  const full = typeof config === "string" ? fromShortForm(config, env) : config;
  const { provider } = Object(full) as { provider?: unknown };
  if (typeof provider !== "string" || provider === "") {
    throw new TenterhookError("bad_agent", 'model needs a "provider".', { hint: FORMS });
  }
  if (provider === "scripted") return scriptedFrom(full);
  const isCompatible = provider === COMPATIBLE;
  const fields = new ConfigFields("model", full, [
    ...COMMON_FIELDS,
    ...(isCompatible ? ["structuredOutputs"] : []),
  ]);
  if (isCompatible) fields.text("baseURL");
  const settings = {
    ...providerSettings(fields, env),
    ...(isCompatible ? compatibleSettings(fields) : {}),
  };
  return aiSdkModel(await languageModel(provider, fields.text("model"), settings));
}

function fromShortForm(short: string, env: Environment): ProviderModelConfig {
  // Names of models may have colons too: "openai-compatible:llama3:8b".
  const [, provider, model] = /^([^:]+):(.+)$/s.exec(short) ?? [];
  if (provider === undefined || model === undefined) {
    throw new TenterhookError("bad_agent", 'model must be "provider:model".', { hint: FORMS });
  }
  if (provider !== COMPATIBLE) return { provider, model };
  const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: key } = env;
  if (!baseURL) {
    throw new TenterhookError("bad_agent", `model "${COMPATIBLE}:…" needs the address of a server.`, {
      hint: "Set the environment variable OPENAI_BASE_URL, for example to http://localhost:11434/v1.",
    });
  }
  // Local servers often need no key.
  return { provider, model, baseURL, ...(key ? { apiKeyEnv: "OPENAI_API_KEY" } : {}) };
}

async function scriptedFrom(config: unknown): Promise<Model> {
  const fields = new ConfigFields("model", config, ["provider", "script", "repeat"]);
  // The scripted model is only loaded when it is configured.
  const [{ parseScript }, { scriptedModel }] = await Promise.all([
    import("./scripted/parse-script.ts"),
    import("./scripted/scripted-model.ts"),
  ]);
  return scriptedModel(parseScript(fields.value("script")), { repeat: fields.optionalFlag("repeat") });
}

function providerSettings(fields: ConfigFields, env: Environment): ProviderSettings {
  const baseURL = fields.optionalText("baseURL");
  if (baseURL !== undefined && !isHttpUrl(baseURL)) {
    throw fields.bad('has a "baseURL" that is not an http or https URL.');
  }
  const settings = {
    baseURL,
    apiKey: apiKey(fields, env),
    headers: fields.optionalTexts("headers"),
    name: fields.optionalText("name"),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

/** Usage in streams must be requested, and without this flag a schema would be dropped silently. */
function compatibleSettings(fields: ConfigFields): ProviderSettings {
  return {
    name: fields.optionalText("name") ?? COMPATIBLE,
    includeUsage: true,
    supportsStructuredOutputs: fields.optionalFlag("structuredOutputs") ?? true,
  };
}

function apiKey(fields: ConfigFields, env: Environment): string | undefined {
  const variable = fields.optionalText("apiKeyEnv");
  if (variable === undefined) return undefined;
  const key = ownField(env, variable);
  if (key) return key;
  // A value that does not look like a variable may be the key itself, and must not be printed.
  if (/^[A-Z][A-Z0-9_]*$/.test(variable)) {
    throw fields.bad(`takes its key from ${variable}, which is not set.`, "Set that environment variable.");
  }
  throw fields.bad(
    'has an "apiKeyEnv" that is not the name of an environment variable.',
    "Put the key into a variable, and the variable's name here.",
  );
}

function isHttpUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}
