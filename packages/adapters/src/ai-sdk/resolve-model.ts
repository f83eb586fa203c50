import { TenterhookError } from "@tenterhook/protocol";
import { gateway } from "ai";
import type { Model } from "./sdk-types.ts";

interface Provider {
  languageModel(id: string): unknown;
}

/** The model of a name, by the SDK's default provider, as the SDK finds it. Throws for a name that it does not know. */
export function resolveModel(model: unknown): Model {
  if (typeof model !== "string") return model as Model;
  const global = globalThis as { AI_SDK_DEFAULT_PROVIDER?: Provider };
  const provider = global.AI_SDK_DEFAULT_PROVIDER ?? gateway;
  try {
    return provider.languageModel(model) as Model;
  } catch (cause) {
    throw new TenterhookError("bad_agent", `the default provider of the AI SDK has no model "${model}".`, {
      cause,
    });
  }
}
