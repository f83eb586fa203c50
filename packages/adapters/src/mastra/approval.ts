import { decideApproval } from "../core/index.ts";
import type { ApprovalPolicy, RequestContext, Tool } from "./config.ts";
import type { Runs } from "./runs.ts";
import { validateInput } from "./validate-input.ts";

/** Where Mastra keeps the policy of a call, which a policy of a tool replaces. */
const CALL_POLICY = "__mastra_requireToolApproval";

/**
 * The approval of a tool with the hooks, after the policies of the tool and of the call. It never throws: Mastra would ask a person
 * about a call that no hook asked about.
 */
export function hookApproval(
  toolName: string,
  tool: Tool,
  requestContext: RequestContext,
  runs: Runs,
): ApprovalPolicy {
  return async (input, context) => {
    const found = runs.findByInput(requestContext, toolName, input);
    if (found === undefined) return askPolicies(toolName, tool, requestContext, input, context);
    const { run, toolUseId } = found;
    // It is resumed: the person has decided.
    if (run.waiting.has(toolUseId)) return true;
    run.asked.add(toolUseId);
    let isNeeded = await askPolicies(toolName, tool, requestContext, input, context);
    if (!isNeeded) {
      const call = { toolName, toolInput: input, toolUseId };
      try {
        const approval = await decideApproval(run.run, call, { validate: validateInput(tool) });
        isNeeded = approval.type === "needs_approval";
      } catch {
        // The stop is stored in the run: the call is refused where it would be executed.
        return false;
      }
    }
    if (isNeeded) run.waiting.add(toolUseId);
    return isNeeded;
  };
}

/** The policies of the program, as Mastra asks them: that of the tool wins, and one that throws asks. */
async function askPolicies(
  toolName: string,
  tool: Tool,
  requestContext: RequestContext,
  input: unknown,
  context: unknown,
): Promise<boolean> {
  const own = tool.needsApproval ?? tool.needsApprovalFn ?? tool.requireApproval;
  const ofCall = requestContext.get(CALL_POLICY);
  try {
    if (typeof own === "function") return Boolean(await own(input, context));
    if (own === true || typeof ofCall !== "function") return own === true || Boolean(ofCall);
    return Boolean(await ofCall({ ...(context as object | undefined), toolName, args: input }));
  } catch {
    return true;
  }
}
