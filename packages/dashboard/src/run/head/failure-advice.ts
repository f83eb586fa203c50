import { ownField } from "@tenterhook/internal";

/** What to do about a failed run, by error code. */
const ADVICE: Readonly<Record<string, string>> = {
  runner_lost:
    "The runner stopped responding: its machine or process may have ended, or lost the network. What the agent had already done is not undone. Check the runners, then retry; max_attempts of the agent retries automatically.",
  never_started:
    "Runners claimed the run, but none reported its start. The run may crash its runner: check the log of the last runner, fix the cause, and retry.",
  timeout:
    "The run exceeded its time limit. The timeline shows what took the time. If the agent needs longer, increase its timeout_seconds.",
  hook_failed:
    "A hook failed, and its on_error is block. Fix the hook, or set on_error to continue if the run may continue without it.",
  hook_blocked: "A hook blocked the run.",
  program_failed: "The agent's program failed. Its output is in the transcript.",
  agent_failed: "The agent failed. The timeline shows the step, the transcript its output.",
  bad_output: "The result does not match the agent's output_schema. Change the schema or the agent.",
  result_refused: "The coordinator refused the result: it may be too large, or not valid JSON.",
  json_limit:
    "A value is nested deeper, or longer as JSON, than the limits allow. The error names the value and its path; make it flatter or shorter.",
  set_aside:
    "The coordinator failed repeatedly while processing this run and gave up. The error names the exception; the coordinator's log has its stack. Please report it as a bug.",
  unreadable_run:
    "The runner could not read the run. It may be older than the coordinator: update the runner.",
  bad_agent:
    "The runner could not create the agent: its model, tools and MCP servers must be known to the runner.",
  budget_exhausted: "The agent's budget of calls, tokens or time is used up.",
  model_call_refused: "A hook on the runner refused the model call.",
  answer_refused: "Hooks on the runner refused the model's answers too often.",
  script_ended: "The scripted model was asked more often than its script has turns.",
  mcp_failed:
    "An MCP server of the agent could not be reached or disconnected. Check it on the runner's machine.",
  gate_unsatisfied:
    "The agent stopped although its stop gate was not satisfied: the gate failed, or held the agent too often. The work may be done, but it was not accepted. Fix the gate, then retry.",
  session_busy: "Another run was active in the session. Retry when it has ended.",
};

/** The advice for an error code; undefined for unknown codes. */
export function failureAdvice(code: string | null): string | undefined {
  return code === null ? undefined : ownField(ADVICE, code);
}
