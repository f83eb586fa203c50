import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import type { SdkLanguageModel } from "./ai-sdk-model.ts";

/** The settings of a provider: `baseURL`, `apiKey`, `headers` and so on. */
export type ProviderSettings = Readonly<Record<string, unknown>>;

type Exports = Readonly<Record<string, unknown>>;
type Factory = (settings: ProviderSettings) => Provider;
type Provider = { languageModel?(modelId: string): SdkLanguageModel };

/** A model of the provider whose npm package is `@ai-sdk/{provider}`. Rejects with `bad_agent` if that is not installed. */
export async function languageModel(
  provider: string,
  modelId: string,
  settings: ProviderSettings,
): Promise<SdkLanguageModel> {
  const exports = await providerPackage(provider);
  const create = providerFactory(provider, exports);
  const created = create?.(settings);
  if (typeof created?.languageModel !== "function") {
    throw new TenterhookError("bad_agent", `the npm package @ai-sdk/${provider} offers no language models.`, {
      hint: "Create the model in code, and pass it to aiSdkModel().",
    });
  }
  return created.languageModel(modelId);
}

async function providerPackage(provider: string): Promise<Exports> {
  // The name becomes part of an import path; with dots and slashes it could be any file.
  if (!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(provider)) {
    throw new TenterhookError("bad_agent", 'model has a "provider" that cannot be the name of one.', {
      hint: "Names are like openai, anthropic, google-vertex, openai-compatible.",
    });
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
