import { isRecord } from "@tenterhook/internal";
import { type AdapterOptions, warnOnce } from "../core/index.ts";
import type { CallPolicy, RequestContext } from "./config.ts";

/** Where Mastra keeps the `requireToolApproval` of a call. It has no public name: see `#isKnown`. */
const STORED_POLICY = "__mastra_requireToolApproval";

/**
 * `requireToolApproval` of an agent and of its calls. Mastra asks it about each tool call, and ignores the answer for tools with a policy of
 * their own, as all tools with hooks have: so that policy asks here again.
 *
 * The agent's own policy is wrapped, so its answer is known. A call may replace it; then it is read where Mastra keeps it. Until a
 * wrapped policy was seen there, a missing one may also mean that this version of Mastra keeps it elsewhere: then a person is asked.
 */
export class CallPolicies {
  readonly #warn: (message: string) => void;
  readonly #wrapped = new WeakSet<object>();
  /** Answers of wrapped policies, by the question: Mastra gives the tool's policy the same object. */
  readonly #answers = new WeakMap<object, boolean>();
  #isKnown = false;

  constructor({ warn = warnOnce }: AdapterOptions) {
    this.#warn = warn;
  }

  /** The policy of the agent, of which the answers are noted. */
  wrap(own: CallPolicy | undefined): CallPolicy {
    const policy = async (question: Parameters<Exclude<CallPolicy, boolean>>[0]) => {
      const answer = typeof own === "function" ? await askPolicy(() => own(question)) : own === true;
      if (isRecord(question.requestContext)) this.#answers.set(question.requestContext, answer);
      return answer;
    };
    this.#wrapped.add(policy);
    return policy;
  }

  /** Whether the policy of the agent or of the call requires a person. `question` is what Mastra gives the policy of a tool. */
  async ask(
    toolName: string,
    args: unknown,
    question: unknown,
    requestContext: RequestContext,
  ): Promise<boolean> {
    const fields = isRecord(question) ? question : {};
    const answer = isRecord(fields.requestContext) ? this.#answers.get(fields.requestContext) : undefined;
    const stored = requestContext.get(STORED_POLICY);
    if (typeof stored === "function" && this.#wrapped.has(stored)) this.#isKnown = true;
    if (answer !== undefined) return answer;
    if (typeof stored === "function")
      return askPolicy(() => (stored as Exclude<CallPolicy, boolean>)({ ...fields, toolName, args }));
    if (stored !== undefined || this.#isKnown) return Boolean(stored);
    this.#warn(
      `The requireToolApproval of a call of Mastra cannot be read, so a person is asked about the tool "${toolName}": give it to the agent, in defaultOptions.`,
    );
    return true;
  }
}

/** Asks a policy of the program, as Mastra does: one that throws requires a person. */
export async function askPolicy(policy: () => unknown): Promise<boolean> {
  try {
    return Boolean(await policy());
  } catch {
    return true;
  }
}
