import { Badge, Box, Card, Group, Input, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { RUN_HOOK_TYPES, type RunHookType } from "@tenterhook/protocol/runs";
import { HOOK_TYPE_LABELS } from "../../components/hook-labels.ts";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { type JsonObject, valueAt } from "../../editing/json-object.ts";
import { isWithin } from "../../editing/problems.ts";
import { hookChoice, withHookChoice } from "../../hooks/fields/hook-choice.ts";
import { HookFields } from "../../hooks/fields/hook-fields.tsx";
import { NamedHookPicker } from "../../hooks/fields/named-hook-picker.tsx";
import { TryHook } from "../../hooks/trial/try-hook.tsx";

/** The hooks of the agent's runs, at most one per type. Those of an agent that is saved can be tried. */
export function HooksTab({ agent }: { readonly agent: string | undefined }) {
  return (
    <Stack gap="md" maw={860}>
      <Text size="sm">
        The coordinator calls these hooks for every run of this agent. A run keeps the hooks that the agent
        had when the run was started.
      </Text>
      {RUN_HOOK_TYPES.map((type) => (
        <HookCard key={type} type={type} agent={agent} />
      ))}
    </Stack>
  );
}

function HookCard({ type, agent }: { readonly type: RunHookType; readonly agent: string | undefined }) {
  const { draft, change, problems } = useEditor();
  const path = formatPath(draft.value, type);
  const { value, error, readOnly } = useField(path);
  const choice = hookChoice(value);
  const hasProblem = problems.some((problem) => isWithin(problem.path, path));
  return (
    <Card withBorder padding="md" component="section" aria-label={type}>
      <Group justify="space-between" gap="sm">
        <Stack gap={0} flex="1 1 280px" miw={0}>
          <Group gap="xs">
            <Title order={2} size="h5" ff="monospace" fw={600}>
              {type}
            </Title>
            {hasProblem && !readOnly && (
              <Badge color="red" variant="outline" size="sm" tt="none" radius="sm">
                incomplete
              </Badge>
            )}
          </Group>
          <Text size="sm">{DESCRIPTIONS[type]}</Text>
        </Stack>
        <SegmentedControl
          aria-label={`Hook for ${type}`}
          size="sm"
          value={choice}
          readOnly={readOnly}
          onChange={(chosen) =>
            change((now) =>
              withHookChoice(now, path, chosen === "inline" || chosen === "named" ? chosen : "none"),
            )
          }
          data={[
            { value: "none", label: "None" },
            { value: "inline", label: "Inline" },
            { value: "named", label: "Named" },
          ]}
        />
      </Group>
      {choice !== "none" && (
        <Card.Section withBorder inheritPadding py="md" mt="md">
          {choice === "inline" ? <HookFields path={path} type={type} /> : <NamedHookPicker path={path} />}
        </Card.Section>
      )}
      {choice !== "none" && agent !== undefined && (
        <Box pt="md">
          <TryHook hook={{ agent, type }} />
        </Box>
      )}
      {choice === "none" && error !== undefined && <Input.Error mt="xs">{error}</Input.Error>}
    </Card>
  );
}

/** The path of the hook; `on_error` is an alias of `on_run_error`. */
function formatPath(value: JsonObject, type: RunHookType): string {
  const isAlias = type === "on_run_error" && valueAt(value, "hooks.on_error") !== undefined;
  return isAlias ? "hooks.on_error" : `hooks.${type}`;
}

const DESCRIPTIONS: Readonly<Record<RunHookType, string>> = {
  on_run_start: `Fires ${HOOK_TYPE_LABELS.on_run_start}: may change the parameters, refuse the run, or ask a person.`,
  on_tool_call: `Fires ${HOOK_TYPE_LABELS.on_tool_call}: may change the tool's input, refuse it, or ask a person.`,
  on_result: `Fires ${HOOK_TYPE_LABELS.on_result}: may change the result, or refuse it.`,
  on_run_finish: `Fires ${HOOK_TYPE_LABELS.on_run_finish}, however it ended: may start the next agent.`,
  on_run_error: `Fires ${HOOK_TYPE_LABELS.on_run_error}: for alerts and cleanup.`,
  on_timeout: `Fires ${HOOK_TYPE_LABELS.on_timeout}.`,
};
