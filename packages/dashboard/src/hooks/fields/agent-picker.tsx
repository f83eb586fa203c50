import { type ComboboxItem, Select, Stack, Text } from "@mantine/core";
import { useQueries, useQuery } from "@tanstack/react-query";
import { DEFAULT_MODES, RUN_HOOK_TYPES, type RunHookType } from "@tenterhook/protocol/runs";
import { queries } from "../../api/queries.ts";
import { errorMessage } from "../../components/error-message.ts";
import { singleMatch } from "../../components/single-match.ts";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { valueAt } from "../../editing/json-object.ts";
import { type Candidate, candidates, candidatesForAny } from "./agent-candidates.ts";
import classes from "./agent-picker.module.css";

interface PickerProps {
  readonly path: string;
  readonly found: readonly Candidate[] | undefined;
  readonly problem: Error | null;
}

/** Chooses the agent of a hook of one type. */
export function TypedAgentPicker({ path, type }: { readonly path: string; readonly type: RunHookType }) {
  const { draft } = useEditor();
  const given = valueAt(draft.value, path.replace(/agent_name$/, "mode"));
  const mode = given === "sync" || given === "async" ? given : DEFAULT_MODES[type];
  const { data, error } = useQuery(queries.hookAgents({ type, mode }));
  const name = typeof draft.value.name === "string" ? draft.value.name : "";
  const own = { name, isChained: type === "on_run_finish" && mode === "async" };
  return <AgentPicker path={path} found={data && candidates(data, own)} problem={error} />;
}

/** Chooses the agent of a named hook, which may be used for any type. */
export function AnyAgentPicker({ path }: { readonly path: string }) {
  const { found, error } = useQueries({
    queries: RUN_HOOK_TYPES.map((type) => queries.hookAgents({ type })),
    combine: (answers) => ({
      found: answers.every(({ data }) => data !== undefined)
        ? candidatesForAny(
            new Map(RUN_HOOK_TYPES.map((type, index) => [type, answers[index]?.data ?? { agents: [] }])),
          )
        : undefined,
      error: answers.find((answer) => answer.error !== null)?.error ?? null,
    }),
  });
  return <AgentPicker path={path} found={found} problem={error} />;
}

function AgentPicker({ path, found, problem }: PickerProps) {
  const { id, value, error, readOnly, set } = useField(path);
  const chosen = typeof value === "string" && value !== "" ? value : null;
  const all = withChosen(found, chosen);
  const byName = new Map(all.map((candidate) => [candidate.name, candidate]));
  const chosenProblem = chosen === null ? null : (byName.get(chosen)?.problem ?? null);
  const usable = all.filter(({ problem: why }) => why === null).map(({ name }) => name);
  return (
    <Select
      id={id}
      label="Agent"
      description="Receives the hook's input as its parameters; its result is the answer"
      placeholder={found === undefined ? "Loading agents…" : "Choose an agent"}
      withAsterisk
      searchable
      selectFirstOptionOnChange
      onBlur={({ currentTarget }) => {
        const match = chosen === null ? singleMatch(usable, currentTarget.value) : undefined;
        if (match !== undefined) set(match);
      }}
      allowDeselect={false}
      nothingFoundMessage="No matching agents"
      data={all.map(({ name, problem: why }) => ({ value: name, label: name, disabled: why !== null }))}
      renderOption={({ option }) => <Option option={option} candidate={byName.get(option.value)} />}
      value={chosen}
      error={error ?? chosenProblem ?? (problem && errorMessage(problem))}
      readOnly={readOnly}
      onChange={set}
      maxDropdownHeight={320}
      classNames={{ option: classes.option }}
    />
  );
}

/** Includes the chosen agent even if it does not exist. */
function withChosen(found: readonly Candidate[] | undefined, chosen: string | null): Candidate[] {
  const all = [...(found ?? [])];
  if (chosen !== null && !all.some(({ name }) => name === chosen)) {
    const problem = found === undefined ? null : `agent "${chosen}" does not exist`;
    all.push({ name: chosen, description: "", problem });
  }
  return all;
}

function Option({
  option,
  candidate,
}: {
  readonly option: ComboboxItem;
  readonly candidate: Candidate | undefined;
}) {
  const why = candidate?.problem ?? null;
  return (
    <Stack gap={0}>
      <Text size="sm" fw={500}>
        {option.label}
      </Text>
      <Text size="xs" lineClamp={3}>
        {why === null ? candidate?.description : `Not usable: ${why}`}
      </Text>
    </Stack>
  );
}
