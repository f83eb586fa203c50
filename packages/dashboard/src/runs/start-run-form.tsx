import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { call, type Input } from "../api/call.ts";
import { ProblemError } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { ParametersForm } from "../parameters/parameters-form.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { IdempotencyKey } from "./idempotency-key.ts";
import { MoreOptions, type RunOptions } from "./more-options.tsx";
import classes from "./start-run-form.module.css";

interface Props {
  readonly agent: string | undefined;
  readonly onAgent: (agent: string | undefined) => void;
  readonly onCancel: () => void;
  /** Starts the run as a retry of this one, with its agent and session. */
  readonly retryOf?: Retried | undefined;
}

/** A run to retry, and the parameters that the form begins with. */
export interface Retried {
  readonly run_id: string;
  readonly parameters: Record<string, unknown>;
}

type Body = Input<"POST /runs">["body"];

/** Starts a run and shows it. Errors of the coordinator are shown at their fields. */
export function StartRunForm({ agent, onAgent, onCancel, retryOf }: Props) {
  const navigate = useNavigate();
  const record = useQuery({ ...queries.agent(agent ?? ""), enabled: agent !== undefined });
  const [written, setWritten] = useState<
    { agent: string | undefined; values: Record<string, unknown> } | undefined
  >(retryOf && { agent, values: retryOf.parameters });
  const [options, setOptions] = useState<RunOptions>({});
  const [isValid, setValid] = useState(true);
  const [isTried, setShowsMissing] = useState(false);
  const key = useRef(new IdempotencyKey());
  const start = useWrite({
    mutationFn: (body: Body) => {
      // Do not wait for the result: the page of the run shows it.
      const query = { wait: 0 };
      const headers = { "idempotency-key": key.current.of(body) };
      if (retryOf === undefined) return call("POST /runs", { query, body, headers });
      const { parameters } = body;
      const params = { id: retryOf.run_id };
      return call("POST /runs/{id}/retry", { params, query, body: { parameters }, headers });
    },
    onSuccess: ({ run_id }) => navigate({ to: "/runs/$id", params: { id: run_id } }),
  });

  // Another agent has other parameters.
  const values = written?.agent === agent ? (written?.values ?? {}) : {};
  const field = start.error instanceof ProblemError ? start.error.problem.field : undefined;
  const errorOf = (name: string) =>
    start.error !== null && (field === name || field?.startsWith(`${name}.`))
      ? errorMessage(start.error)
      : undefined;
  const parametersError = errorOf("parameters");
  const isShownAtField = [
    "agent_name",
    "parameters",
    "session_id",
    "parent_session_id",
    "execution_mode",
  ].some(errorOf);

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setShowsMissing(true);
        if (agent !== undefined && record.data !== undefined && isValid)
          start.mutate({ agent_name: agent, parameters: values, ...options });
      }}
    >
      <Stack gap="md">
        {retryOf === undefined && (
          <AgentChoice
            value={agent}
            error={errorOf("agent_name") ?? (isTried && agent === undefined ? "Choose an agent." : undefined)}
            onChange={(name) => {
              start.reset();
              setShowsMissing(false);
              onAgent(name);
            }}
          />
        )}
        {record.error !== null && <ProblemState error={record.error} retry={() => void record.refetch()} />}
        {agent !== undefined && record.isPending && record.error === null && (
          <Skeleton h={120} aria-label="Loading agent" />
        )}
        {agent !== undefined && record.data !== undefined && (
          <ParametersForm
            key={agent}
            schema={record.data.blueprint.parameters_schema}
            value={values}
            isTried={isTried}
            problem={parametersError === undefined ? undefined : { field, message: parametersError }}
            onValidity={setValid}
            onChange={(now) => {
              start.reset();
              setWritten({ agent, values: now });
            }}
          />
        )}
        {retryOf === undefined && (
          <MoreOptions
            value={options}
            errorOf={errorOf}
            onChange={(now) => {
              start.reset();
              setOptions(now);
            }}
          />
        )}
        {start.error !== null &&
          (!isShownAtField || (retryOf !== undefined && parametersError === undefined)) && (
            <ProblemState error={start.error} />
          )}
        <Group justify="flex-end" gap="xs" className={classes.foot}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={start.isPending}>
            {retryOf === undefined ? "Start" : "Retry run"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
