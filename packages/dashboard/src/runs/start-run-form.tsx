import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { call, type Input } from "../api/call.ts";
import { ProblemError } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { ParametersForm } from "../parameters/parameters-form.tsx";
import { ProblemState } from "../parts/problem-state.tsx";
import { messageOf } from "../parts/problem-words.ts";
import { AgentChoice } from "./agent-choice.tsx";
import { MoreOptions, type RunOptions } from "./more-options.tsx";
import { RequestKey } from "./request-key.ts";
import classes from "./start-run-form.module.css";

interface Props {
  readonly agent: string | undefined;
  readonly onAgent: (agent: string | undefined) => void;
  readonly onCancel: () => void;
}

type Body = Input<"POST /runs">["body"];

/** Which agent, with what: a run is started, and shown. What the coordinator refuses is said where it was written. */
export function StartRunForm({ agent, onAgent, onCancel }: Props) {
  const navigate = useNavigate();
  const record = useQuery({ ...queries.agent(agent ?? ""), enabled: agent !== undefined });
  const [written, setWritten] = useState<{ agent: string | undefined; values: Record<string, unknown> }>();
  const [options, setOptions] = useState<RunOptions>({});
  const [isValid, setValid] = useState(true);
  const [isTried, setTried] = useState(false);
  const key = useRef(new RequestKey());
  const start = useMutation({
    mutationFn: (body: Body) =>
      // A run that takes its time is looked at, and not waited for here.
      call("POST /runs", { query: { wait: 0 }, body, headers: { "idempotency-key": key.current.of(body) } }),
    onSuccess: ({ run_id }) => navigate({ to: "/runs/$id", params: { id: run_id } }),
  });

  // Another agent takes other parameters.
  const values = written?.agent === agent ? (written?.values ?? {}) : {};
  const field = start.error instanceof ProblemError ? start.error.problem.field : undefined;
  const saidOf = (name: string) =>
    start.error !== null && (field === name || field?.startsWith(`${name}.`))
      ? messageOf(start.error)
      : undefined;
  const ofParameters = saidOf("parameters");
  const isSaidElsewhere = [
    "agent_name",
    "parameters",
    "session_id",
    "parent_session_id",
    "execution_mode",
  ].some(saidOf);

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        setTried(true);
        if (agent !== undefined && record.data !== undefined && isValid)
          start.mutate({ agent_name: agent, parameters: values, ...options });
      }}
    >
      <Stack gap="md">
        <AgentChoice
          value={agent}
          error={saidOf("agent_name") ?? (isTried && agent === undefined ? "Choose an agent." : undefined)}
          onChange={(name) => {
            start.reset();
            setTried(false);
            onAgent(name);
          }}
        />
        {record.error !== null && <ProblemState error={record.error} retry={() => void record.refetch()} />}
        {record.isLoading && <Skeleton h={120} aria-label="Loading the agent" />}
        {agent !== undefined && record.data !== undefined && (
          <ParametersForm
            key={agent}
            schema={record.data.blueprint.parameters_schema}
            value={values}
            isTried={isTried}
            problem={ofParameters === undefined ? undefined : { field, message: ofParameters }}
            onValidity={setValid}
            onChange={(now) => {
              start.reset();
              setWritten({ agent, values: now });
            }}
          />
        )}
        <MoreOptions
          value={options}
          saidOf={saidOf}
          onChange={(now) => {
            start.reset();
            setOptions(now);
          }}
        />
        {start.error !== null && !isSaidElsewhere && <ProblemState error={start.error} />}
        <Group justify="flex-end" gap="xs" className={classes.foot}>
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={start.isPending}>
            Start
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
