import type { Plugin } from "@strands-agents/sdk";
import { TenterhookError } from "@tenterhook/protocol";
import { type HookSource, listSupported, readHooks, SupportCheck } from "../core/index.ts";
import { installHooks } from "./hooked-agent.ts";
import type { StrandsOptions } from "./strands-options.ts";
import { strandsSupport } from "./support.ts";

let plugins = 0;

/**
 * The hooks as a plugin of a Strands agent: `new Agent({ plugins: [hooksPlugin(hooks)] })`. One plugin may serve several agents. Throws
 * for a hook on an event that Strands cannot carry.
 */
export function hooksPlugin(source: HookSource, options: StrandsOptions = {}): Plugin {
  const hooks = readHooks(source);
  const check = new SupportCheck(hooks, strandsSupport, listSupported(strandsSupport), options);
  const name = `tenterhook-${++plugins}`;
  return {
    name,
    async initAgent(agent) {
      // Not before an agent exists: a program may import this module without the package.
      const sdk = await import("@strands-agents/sdk");
      if (!(agent instanceof sdk.Agent)) {
        const problem =
          "the agent was made by another copy of @strands-agents/sdk, so its hooks would not be called.";
        throw new TenterhookError("bad_agent", problem, {
          hint: "Install one version of the package, beside @tenterhook/adapters.",
        });
      }
      installHooks({ sdk, agent, hooks, options, check, install: installHooks });
    },
  };
}
