import { Button, Group, Skeleton, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { Input } from "@tenterhook/client";
import { useRef, useState } from "react";
import { call } from "../api/call.ts";
import { IdempotencyKey } from "../api/idempotency-key.ts";
import { readProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { useWrite } from "../api/use-write.ts";
import { errorAt } from "../components/error-message.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { isSameJson } from "../editing/json-object.ts";
import { RestoredNotice } from "../editing/restored-notice.tsx";
import { useStoredDraft } from "../editing/use-stored-draft.ts";
import { fieldsOf } from "../parameters/fields.ts";
import { firstValues } from "../parameters/form-values.ts";
import { ParametersForm } from "../parameters/parameters-form.tsx";
import { AgentChoice } from "./agent-choice.tsx";
import { MoreOptions } from "./more-options.tsx";
import classes from "./start-run-form.module.css";
import { readStoredStart, type StoredStart, startFormAddress } from "./stored-start.ts";

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
  const store = useStoredDraft(startFormAddress(retryOf));
  const [restored, setRestored] = useState(() => readStoredStart(store.read(), agent));
  const given: StoredStart = {
    agent: agent ?? null,
    values: retryOf?.parameters ?? {},
    options: {},
    texts: {},
  };
  const [typed, setTyped] = useState<StoredStart>(restored ?? given);
  // One change of a field may be reported in two steps, before the next render.
  const latest = useRef(typed);
  const [discards, setDiscards] = useState(0);
  const [isValid, setValid] = useState(true);
  const [isTried, setTried] = useState(false);
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
    onSuccess: ({ run_id }) => {
      store.forget();
      return navigate({ to: "/runs/$id", params: { id: run_id } });
    },
  });

  // Another agent has other parameters.
  const forAgent = (now: StoredStart) =>
    now.agent === given.agent ? now : { ...given, options: now.options };
  const { values, options, texts } = forAgent(typed);
  /** Keeps what the user typed. What the form fills in by itself is not worth keeping. */
  const change = (part: Partial<StoredStart>) => {
    const now = { ...forAgent(latest.current), ...part };
    latest.current = now;
    start.reset();
    setTyped(now);
    const first =
      retryOf?.parameters ?? firstValues(fieldsOf(record.data?.blueprint.parameters_schema) ?? []);
    const isUntouched =
      isSameJson(now.values, first) && isSameJson(now.options, {}) && isSameJson(now.texts, {});
    if (isUntouched) store.forget();
    else store.write(now);
  };
  const discard = () => {
    store.forget();
    start.reset();
    setRestored(undefined);
    latest.current = given;
    setTyped(given);
    setDiscards(discards + 1);
  };
  const field = readProblem(start.error)?.field;
  const errorOf = (name: string) => errorAt(start.error, name);
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
        setTried(true);
        if (agent !== undefined && record.data !== undefined && isValid)
          start.mutate({ agent_name: agent, parameters: values, ...options });
      }}
    >
      <RestoredNotice keptAt={restored?.keptAt} onDiscard={discard} onClose={() => setRestored(undefined)} />
      <Stack gap="md">
        {retryOf === undefined && (
          <AgentChoice
            value={agent}
            error={errorOf("agent_name") ?? (isTried && agent === undefined ? "Choose an agent." : undefined)}
            onChange={(name) => {
              start.reset();
              setTried(false);
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
            key={`${agent} ${discards}`}
            schema={record.data.blueprint.parameters_schema}
            value={values}
            isTried={isTried}
            problem={parametersError === undefined ? undefined : { field, message: parametersError }}
            onValidity={setValid}
            invalidTexts={texts}
            onInvalidTexts={(now) => change({ texts: now })}
            onChange={(now) => change({ values: now })}
          />
        )}
        {retryOf === undefined && (
          <MoreOptions value={options} errorOf={errorOf} onChange={(now) => change({ options: now })} />
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
