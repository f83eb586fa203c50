import { type AdapterOptions, decideApproval, dropEvaluation } from "../core/index.ts";
import { askPolicy, readPolicy } from "./call-policy.ts";
import type { ApprovalPolicy, RequestContext, Tool } from "./config.ts";
import type { Runs } from "./runs.ts";
import { validateInput } from "./validate-input.ts";

/**
 * The approval of a tool with the hooks, before the policies of the tool and of the call. It never throws: Mastra would ask a person
 * about a call that no hook asked about.
 */
export function hookApproval(
  toolName: string,
  tool: Tool,
  requestContext: RequestContext,
  runs: Runs,
  options: AdapterOptions,
): ApprovalPolicy {
  /** The policies of the program, as Mastra asks them: that of the tool wins. */
  const askProgram = async (input: unknown, context: unknown): Promise<boolean> => {
    const own = tool.needsApproval ?? tool.needsApprovalFn ?? tool.requireApproval;
    if (typeof own === "function") return askPolicy(() => own(input, context));
    return own === true || readPolicy(toolName, context, options);
  };
  return async (input, context) => {
    try {
      const known = runs.findByInput(requestContext, toolName, input);
      if (known === undefined && runs.hasSuspended(toolName, input)) return askProgram(input, context);
      const { run, toolUseId } = known ?? (await runs.openPaused(requestContext, toolName, input));
      // It is resumed: the person has decided.
      if (run.waiting.has(toolUseId)) return true;
      run.asked.add(toolUseId);
      const call = { toolName, toolInput: input, toolUseId };
      const approval = await decideApproval(run.run, call, { validate: validateInput(tool) });
      if (approval.type === "free") {
        // No person is asked about a call that hooks refused or answered.
        if (approval.input === undefined) return false;
        if (!(await askProgram(approval.input, context))) return false;
        // Hooks are called again when the person has answered.
        dropEvaluation(run.run, toolUseId);
      }
      run.waiting.add(toolUseId);
      return true;
    } catch {
      // The stop, or the refusal, is stored in the run: the call is refused where it would be executed.
      return false;
    }
  };
}
