import { decideApproval, dropEvaluation } from "@tenterhook/engine/host";
import { isRecord } from "@tenterhook/internal";
import { type AdapterOptions, type AgentHooks, warnOnce } from "../core/index.ts";
import type { ApprovalPolicy, RequestContext, Tool } from "./config.ts";
import type { Runs } from "./runs.ts";

/**
 * The approval of a tool with the hooks, before the policies of the tool and of the call. It never throws: Mastra would ask a person
 * about a call that no hook asked about.
 */
export function hookApproval(
  toolName: string,
  tool: Tool,
  requestContext: RequestContext,
  runs: Runs,
  agentHooks: AgentHooks,
): ApprovalPolicy {
  /** The policies of the program, as Mastra asks them: that of the tool wins. */
  const askProgram = async (input: unknown, context: unknown): Promise<boolean> => {
    const own = tool.needsApproval ?? tool.needsApprovalFn ?? tool.requireApproval;
    if (typeof own === "function") return askPolicy(() => own(input, context));
    return own === true || readPolicy(toolName, context, agentHooks);
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

/** Answers of policies, by the request context of the question: Mastra gives the policy of the tool the same object. */
const answers = new WeakMap<object, boolean>();

/**
 * `requireToolApproval` of one call of an agent that has hooks: `agent.generate(message, { requireToolApproval: callPolicy(policy) })`.
 * Mastra asks it about each tool call and ignores the answer for tools with a policy of their own, as all tools with hooks have; so it
 * is noted here, and the tool's policy reads it. Of a call whose policy was not noted, a person is asked about every tool call.
 */
export function callPolicy<Question extends object>(
  policy: boolean | ((question: Question) => boolean | PromiseLike<boolean>),
): (question: Question) => Promise<boolean> {
  return async (question) => {
    const answer = typeof policy === "function" ? await askPolicy(() => policy(question)) : policy;
    const { requestContext } = question as { readonly requestContext?: unknown };
    if (isRecord(requestContext)) answers.set(requestContext, answer);
    return answer;
  };
}

/** Whether the policy of the agent or of the call requires a person. `question` is what Mastra gives the policy of a tool. */
export function readPolicy(
  toolName: string,
  question: unknown,
  { warn = warnOnce }: AdapterOptions,
): boolean {
  const { requestContext } = Object(question) as { readonly requestContext?: unknown };
  const answer = isRecord(requestContext) ? answers.get(requestContext) : undefined;
  if (answer !== undefined) return answer;
  warn(
    `A call of Mastra has a requireToolApproval of its own, which hooks cannot read, so a person is asked about the tool "${toolName}": write requireToolApproval: callPolicy(…), or give it to the agent, in defaultOptions.`,
  );
  return true;
}

/** Asks a policy of the program, as Mastra does: one that throws requires a person. */
async function askPolicy(policy: () => unknown): Promise<boolean> {
  try {
    return Boolean(await policy());
  } catch {
    return true;
  }
}

/** A schema of the Standard Schema specification, as zod's. */
interface StandardSchema {
  readonly "~standard"?: {
    validate?(value: unknown): Validation | PromiseLike<Validation>;
  };
}

interface Validation {
  readonly issues?: readonly { readonly message: string }[] | undefined;
}

/** Checks an input that hooks changed by the schema of the tool; returns the problem. A schema of another kind is not checked. */
export function validateInput({ inputSchema }: Tool) {
  return async (input: Record<string, unknown>): Promise<string | undefined> => {
    const result = await (inputSchema as StandardSchema | undefined)?.["~standard"]?.validate?.(input);
    return result?.issues?.map(({ message }) => message).join("; ");
  };
}
