import { Radio, SimpleGrid, Stack } from "@mantine/core";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { AreaField, NumberField, TagsField, TextField } from "../../editing/fields.tsx";
import { typeOf, withType } from "./blueprint-fields.ts";
import { ModelField } from "./model-field.tsx";
import { ProgramField } from "./program-field.tsx";
import { useRunnerNames } from "./runner-names.ts";

/** The name, the program or model, and the limits of an agent. */
export function AgentTab({ isNew }: { readonly isNew: boolean }) {
  const { draft } = useEditor();
  const type = typeOf(draft.value);
  const { tools, mcpServers } = useRunnerNames();
  return (
    <Stack gap="lg" maw={860}>
      {isNew && (
        <TextField
          path="name"
          label="Name"
          description="Letters, digits, hyphens and underscores. It cannot be changed later."
          placeholder="report-generator"
          isRequired
        />
      )}
      <TypeField />
      <AreaField path="description" label="Description" description="What the agent is for" />
      {type === "autonomous" ? (
        <>
          <ModelField />
          <AreaField
            path="system_prompt"
            label="System prompt"
            description="The agent's instructions"
            minRows={4}
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TagsField
              path="tools"
              label="Tools"
              description="Names of tools that runners provide"
              suggestions={tools}
            />
            <TagsField
              path="mcp_servers"
              label="MCP servers"
              description="Names of servers that runners provide"
              suggestions={mcpServers}
            />
          </SimpleGrid>
        </>
      ) : (
        <ProgramField />
      )}
      <TagsField
        path="tags"
        label="Tags"
        description="Only runners with all of these tags execute its runs"
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          path="timeout_seconds"
          label="Timeout"
          unit="s"
          description="Maximum duration of a run in seconds. Default: none"
          placeholder="none"
        />
        <NumberField
          path="max_attempts"
          label="Attempts"
          description="How often a run is attempted when its runner is lost. Default: 1, because agents have side effects"
          placeholder="1"
        />
      </SimpleGrid>
    </Stack>
  );
}

function TypeField() {
  const { draft, change } = useEditor();
  const { id, error, readOnly } = useField("type");
  return (
    <Radio.Group
      id={id}
      label="Type"
      value={typeOf(draft.value)}
      error={error}
      readOnly={readOnly}
      onChange={(type) => change((now) => withType(now, type === "procedural" ? "procedural" : "autonomous"))}
    >
      <SimpleGrid cols={{ base: 1, sm: 2 }} mt="xs">
        <Radio value="autonomous" label="Autonomous" description="A model with a prompt and tools" />
        <Radio
          value="procedural"
          label="Procedural"
          description="A program that reads JSON and prints JSON"
        />
      </SimpleGrid>
    </Radio.Group>
  );
}
