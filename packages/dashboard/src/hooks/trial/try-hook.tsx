import { Button, Group, NativeSelect, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { isRecord } from "@tenterhook/internal";
import { type HookTrial, RUN_HOOK_TYPES, type RunHookType } from "@tenterhook/protocol/runs";
import { useEffect, useRef, useState } from "react";
import { useMay } from "../../access/identity.ts";
import { call } from "../../api/call.ts";
import { readProblem } from "../../api/problem.ts";
import { queries } from "../../api/queries.ts";
import { useWrite } from "../../api/use-write.ts";
import { Disclosure } from "../../components/disclosure.tsx";
import { errorAt } from "../../components/error-message.ts";
import { JsonField } from "../../components/json-field.tsx";
import { ProblemState } from "../../components/problem-state.tsx";
import { RunChoice } from "./run-choice.tsx";
import { TrialResult } from "./trial-result.tsx";

interface TriedNamedHook {
  readonly name: string;
  /** That use it. */
  readonly agents: readonly string[];
}

/** A named hook, or a hook of an agent. */
export type TriedHook = TriedNamedHook | { readonly agent: string; readonly type: RunHookType };

type Subject = { readonly input: Record<string, unknown> } | { readonly run_id: string };

/** Calls a hook as it is saved, and shows what it answers. For users who may start runs. */
export function TryHook({ hook }: { readonly hook: TriedHook }) {
  if (!useMay("run")) return null;
  return (
    <Disclosure label="Try this hook">
      {"type" in hook ? <TrialForm hook={hook} initialType={hook.type} /> : <NamedHookTrial hook={hook} />}
    </Disclosure>
  );
}

/** Begins with a type that the first agent uses the hook for. */
function NamedHookTrial({ hook }: { readonly hook: TriedNamedHook }) {
  const [agent = ""] = hook.agents;
  const { data, isLoading } = useQuery({ ...queries.agent(agent), enabled: agent !== "" });
  // A form that is being filled in stays, also when another agent is read.
  const [isReady, setReady] = useState(false);
  if (!isLoading && !isReady) setReady(true);
  if (!isReady) return <Skeleton h={240} role="status" aria-label="Loading" />;
  const type = RUN_HOOK_TYPES.find((hookType) => refersTo(data?.blueprint.hooks[hookType], hook.name));
  return <TrialForm hook={hook} initialType={type ?? "on_run_start"} />;
}

function refersTo(hook: unknown, name: string): boolean {
  return isRecord(hook) && hook.$ref === name;
}

interface FormProps {
  readonly hook: TriedHook;
  readonly initialType: RunHookType;
}

function TrialForm({ hook, initialType }: FormProps) {
  const [type, setType] = useState(initialType);
  const [source, setSource] = useState<"input" | "run">("input");
  const [inputs, setInputs] = useState<Partial<Record<RunHookType, unknown>>>({});
  const [isValid, setValid] = useState(true);
  const [runId, setRunId] = useState("");
  const ending = useRef<AbortController>(undefined);
  const trial = useWrite({
    mutationFn: (subject: Subject) => {
      ending.current = new AbortController();
      return tryHook(hook, type, subject, ending.current.signal);
    },
  });
  // The coordinator ends a trial when its client disconnects.
  useEffect(() => () => ending.current?.abort(), []);

  const input = inputs[type] ?? SAMPLE_INPUTS[type];
  const field = readProblem(trial.error)?.field;
  const agents = "agents" in hook ? hook.agents : [hook.agent];
  const isCancelled = ending.current?.signal.aborted === true;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (source === "run") trial.mutate({ run_id: runId.trim() });
        else if (isValid && isRecord(input)) trial.mutate({ input });
      }}
    >
      <Stack gap="sm">
        <Text size="sm">
          The hook is really called, as it is saved, with a mark that this is a trial. No run of the agent is
          started, and no other hook fires. A trial takes 50 seconds at most.
        </Text>
        {"name" in hook && (
          <NativeSelect
            label="Type of hook"
            value={type}
            data={[...RUN_HOOK_TYPES]}
            onChange={(event) => {
              trial.reset();
              // The field of another type begins with valid text.
              setValid(true);
              setType(event.currentTarget.value as RunHookType);
            }}
          />
        )}
        <SegmentedControl
          aria-label="What the hook is tried against"
          size="sm"
          style={{ alignSelf: "flex-start" }}
          value={source}
          onChange={(chosen) => {
            setValid(true);
            setSource(chosen === "run" ? "run" : "input");
          }}
          data={[
            { value: "input", label: "Own input" },
            { value: "run", label: "Past run" },
          ]}
        />
        {source === "input" ? (
          <JsonField
            key={type}
            label="Input"
            description="Ids and names that are missing are filled in."
            value={input}
            error={errorAt(trial.error, "input") ?? (isRecord(input) ? undefined : "Must be a JSON object.")}
            onValidity={setValid}
            onChange={(now) => setInputs({ ...inputs, [type]: now })}
          />
        ) : (
          <RunChoice
            agents={agents}
            value={runId}
            error={errorAt(trial.error, "run_id")}
            onChange={setRunId}
          />
        )}
        <Group gap="xs">
          <Button
            type="submit"
            size="xs"
            leftSection={<IconPlayerPlay size={16} aria-hidden />}
            loading={trial.isPending}
            disabled={source === "run" && runId.trim() === ""}
          >
            Try hook
          </Button>
          {trial.isPending && (
            <Button size="xs" variant="default" onClick={() => ending.current?.abort()}>
              Cancel
            </Button>
          )}
        </Group>
        <div role="status">{trial.data !== undefined && <TrialResult trial={trial.data} />}</div>
        {trial.error !== null && !isCancelled && field === undefined && <ProblemState error={trial.error} />}
      </Stack>
    </form>
  );
}

function tryHook(
  hook: TriedHook,
  type: RunHookType,
  subject: Subject,
  signal: AbortSignal,
): Promise<HookTrial> {
  if ("name" in hook) {
    const { name } = hook;
    return call("POST /hooks/{name}/trial", {
      params: { name },
      body: { hook_type: type, ...subject },
      signal,
    });
  }
  const params = { name: hook.agent, type };
  return call("POST /agents/{name}/hooks/{type}/trial", { params, body: subject, signal });
}

const ended = { parameters: {}, result_text: "done", result_data: null };

/** An input of each type to begin with. The coordinator fills in ids and names. */
const SAMPLE_INPUTS: Readonly<Record<RunHookType, Readonly<Record<string, unknown>>>> = {
  on_run_start: { parameters: {} },
  on_tool_call: { parameters: {}, tool_name: "Shell", tool_input: { command: "ls" }, tool_use_id: "call_1" },
  on_result: ended,
  on_run_finish: { ...ended, status: "completed", error: null },
  on_run_error: { ...ended, result_text: null, status: "failed", error: "it failed" },
  on_timeout: { parameters: {}, timeout_seconds: 60 },
};
