import { messageOf, ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { ANYTHING, badConfig, FLAG, readFields, requireText, TEXT, TEXTS_BY_NAME } from "../read-fields.ts";
import { aiSdkModel, type SdkLanguageModel } from "./ai-sdk-model.ts";
import type { Model } from "./model.ts";

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
const SCRIPTED = { provider: TEXT, script: ANYTHING, repeat: FLAG };
const PROVIDED = {
  provider: TEXT,
  model: TEXT,
  baseURL: { ...TEXT, accepts: isHttpUrl, what: "an http or https URL" },
  apiKeyEnv: TEXT,
  headers: TEXTS_BY_NAME,
  name: TEXT,
};
const FORMS = 'Write "anthropic:claude-…", "openai-compatible:model" or { provider, model }.';

/**
 * Creates a model from its configuration. Rejects with `bad_agent`, the field and a hint if it is invalid; keys are read from `env`
 * only, and no error repeats a value.
 */
export async function modelFrom(config: ModelConfig, env: Environment = process.env): Promise<Model> {
  const full = typeof config === "string" ? fromShortForm(config, env) : config;
  const { provider } = Object(full) as { provider?: unknown };
  if (typeof provider !== "string" || provider === "") {
    throw badConfig('model needs a "provider".', FORMS);
  }
  if (provider === "scripted") return scriptedFrom(full);
  const isCompatible = provider === COMPATIBLE;
  const kinds = { ...PROVIDED, ...(isCompatible && { structuredOutputs: FLAG }) };
  const { model, apiKeyEnv, structuredOutputs = true, ...fields } = readFields("model", full, kinds);
  if (isCompatible) requireText("model", "baseURL", fields.baseURL);
  const { baseURL, headers, name } = fields;
  const settings = {
    ...(baseURL !== undefined && { baseURL }),
    ...(apiKeyEnv !== undefined && { apiKey: readKey(apiKeyEnv, env) }),
    ...(headers !== undefined && { headers }),
    ...(name !== undefined && { name }),
    // Usage in streams must be requested, and without the last flag a schema would be dropped silently.
    ...(isCompatible && {
      name: name ?? COMPATIBLE,
      includeUsage: true,
      supportsStructuredOutputs: structuredOutputs,
    }),
  };
  return aiSdkModel(await languageModel(provider, requireText("model", "model", model), settings));
}

function fromShortForm(short: string, env: Environment): ProviderModelConfig {
  // Names of models may have colons too: "openai-compatible:llama3:8b".
  const [, provider, model] = /^([^:]+):(.+)$/s.exec(short) ?? [];
  if (provider === undefined || model === undefined) {
    throw badConfig('model must be "provider:model".', FORMS);
  }
  if (provider !== COMPATIBLE) return { provider, model };
  const { OPENAI_BASE_URL: baseURL, OPENAI_API_KEY: key } = env;
  if (!baseURL) {
    const hint = "Set the environment variable OPENAI_BASE_URL, for example to http://localhost:11434/v1.";
    throw badConfig(`model "${COMPATIBLE}:…" needs the address of a server.`, hint);
  }
  // Local servers often need no key.
  return { provider, model, baseURL, ...(key ? { apiKeyEnv: "OPENAI_API_KEY" } : {}) };
}

async function scriptedFrom(config: unknown): Promise<Model> {
  const { script, repeat } = readFields("model", config, SCRIPTED);
  // The scripted model is only loaded when it is configured.
  const [{ parseScript }, { scriptedModel }] = await Promise.all([
    import("./scripted/parse-script.ts"),
    import("./scripted/scripted-model.ts"),
  ]);
  return scriptedModel(parseScript(script), { repeat });
}

function readKey(variable: string, env: Environment): string {
  const key = ownField(env, variable);
  if (key) return key;
  // A value that does not look like a variable may be the key itself, and must not be printed.
  if (/^[A-Z][A-Z0-9_]*$/.test(variable)) {
    throw badConfig(
      `model takes its key from ${variable}, which is not set.`,
      "Set that environment variable.",
    );
  }
  throw badConfig(
    "model: apiKeyEnv must be the name of an environment variable.",
    "Put the key into a variable, and the variable's name here.",
  );
}

function isHttpUrl(value: unknown): boolean {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

/** The settings of a provider: `baseURL`, `apiKey`, `headers` and so on. */
type ProviderSettings = Readonly<Record<string, unknown>>;

type Exports = Readonly<Record<string, unknown>>;
type Factory = (settings: ProviderSettings) => Provider;
type Provider = { languageModel?(modelId: string): SdkLanguageModel };

/** A model of the provider whose npm package is `@ai-sdk/{provider}`. Rejects with `bad_agent` if that is not installed. */
async function languageModel(
  provider: string,
  modelId: string,
  settings: ProviderSettings,
): Promise<SdkLanguageModel> {
  const exports = await providerPackage(provider);
  const create = providerFactory(provider, exports);
  const created = create?.(settings);
  if (typeof created?.languageModel !== "function") {
    const hint = "Create the model in code, and pass it to aiSdkModel().";
    throw badConfig(`the npm package @ai-sdk/${provider} offers no language models.`, hint);
  }
  return created.languageModel(modelId);
}

async function providerPackage(provider: string): Promise<Exports> {
  // The name becomes part of an import path; with dots and slashes it could be any file.
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(provider)) {
    const hint = "Names are like openai, anthropic, google-vertex, openai-compatible.";
    throw badConfig('model has a "provider" that cannot be the name of one.', hint);
  }
  const name = `@ai-sdk/${provider}`;
  try {
    return await import(name);
  } catch (error) {
    // A package that is installed but lacks a dependency is another error than one that is not installed.
    if ((error as { code?: unknown }).code === "ERR_MODULE_NOT_FOUND" && messageOf(error).includes(name)) {
      throw new TenterhookError("bad_agent", `the provider "${provider}" is not installed.`, {
        hint: `Run: npm install ${name}`,
        cause: error,
      });
    }
    const problem = `the npm package ${name} could not be loaded: ${messageOf(error)}`;
    throw new TenterhookError("bad_agent", problem, { cause: error });
  }
}

/**
 * The function that creates a provider. Its name is `create` and the package's name by convention (`createAnthropic`), with
 * exceptions: `createGoogleGenerativeAI` in google, `createVertex` in google-vertex.
 */
export function providerFactory(provider: string, exports: Exports): Factory | undefined {
  const usualName = `create${provider.replaceAll("-", "")}`;
  const names = Object.keys(exports).filter(
    (name) => /^create[A-Z]/.test(name) && typeof exports[name] === "function",
  );
  const found =
    names.find((name) => name.toLowerCase() === usualName) ??
    names.find((name) => name.toLowerCase().startsWith(usualName)) ??
    (names.length === 1 ? names[0] : undefined);
  return found === undefined ? undefined : (exports[found] as Factory);
}
