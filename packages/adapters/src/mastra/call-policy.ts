import { isRecord } from "@tenterhook/internal";
import { type AdapterOptions, warnOnce } from "../core/index.ts";

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
export async function askPolicy(policy: () => unknown): Promise<boolean> {
  try {
    return Boolean(await policy());
  } catch {
    return true;
  }
}
