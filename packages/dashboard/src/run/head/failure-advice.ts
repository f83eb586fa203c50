/** What to do about a run that failed, for the codes that the coordinator and its runners give. */
const ADVICE: Readonly<Record<string, string>> = {
  runner_lost:
    "The runner that had it stopped answering: its machine or process may have ended, or lost the network. What the agent had done until then is not undone. Look at the runners, then retry; max_attempts of the agent makes that automatic.",
  never_started:
    "Runners claimed it and none of them reported its start. They may end whenever they get this run: look at the log of the runner that had it last. Retry when that is mended.",
  timeout:
    "It was ended because its time was up. The timeline shows what took the time; give the agent a longer timeout_seconds if it needs one.",
  hook_failed:
    "A hook could not be carried out, and its on_error says block. Mend the hook, or let on_error be continue if the run may go on without it.",
  hook_blocked: "A hook did not let it happen.",
  program_failed: "The agent's program ended badly. What it had said is in the transcript.",
  agent_failed: "The agent gave up. The timeline shows in which step, the transcript what it said before.",
  bad_output:
    "The result does not have the shape of the agent's output_schema. Change the schema, or what the agent answers.",
  result_refused: "The coordinator did not take the result: it may be too large, or not be storable as JSON.",
  json_limit:
    "A value is nested deeper, or longer as JSON, than the limits allow. The error says which value and where; make it flatter or shorter.",
  set_aside:
    "The coordinator threw an exception whenever it worked on this run, so it gave the run up. The error names the exception; the coordinator's log has its stack. Please report it as a defect.",
  unreadable_run:
    "The runner did not understand the run. It may be older than the coordinator: update the runner.",
  bad_agent:
    "The runner could not make this agent: its model, tools or MCP servers must be known to the runner that carries it out.",
  budget_exhausted: "A limit on calls, tokens or time was reached, as the agent's budget says.",
  model_call_refused: "A hook on the runner refused the call of the model.",
  answer_refused: "Hooks on the runner refused the model's answers too often.",
  script_ended: "The scripted model was asked more often than its script has turns.",
  mcp_failed:
    "An MCP server of the agent could not be reached or broke off. Look at it on the runner's machine.",
  gate_unsatisfied:
    "The agent stopped although its stop gate was not satisfied: the gate failed, or held the agent too often. The work may be done, but it was not accepted. Mend the gate, then retry.",
  session_busy: "Another run was under way in its session. Retry when that has ended.",
};

/** A sentence or two on what to do, for codes that are known. */
export function failureAdvice(code: string | null): string | undefined {
  return code === null ? undefined : ADVICE[code];
}
