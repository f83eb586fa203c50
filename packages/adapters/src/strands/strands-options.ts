import type { Model } from "@strands-agents/sdk";
import type { AdapterOptions } from "../core/index.ts";

/** What the plugin may be given besides the hooks; every option has a default. */
export interface StrandsOptions extends AdapterOptions {
  /** The models that hooks may choose by name, in `before_llm` and in wrappers of the call. Default: none. */
  readonly models?: Readonly<Record<string, Model>> | undefined;
}
