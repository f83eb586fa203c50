import { Radio, SimpleGrid, Stack } from "@mantine/core";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { AreaField, NumberField, TextField, WordsField } from "../../editing/fields.tsx";
import { typeOf, withType } from "./blueprint-fields.ts";
import { ModelField } from "./model-field.tsx";
import { ProgramField } from "./program-field.tsx";
import { useRunnerNames } from "./runner-names.ts";

/** Who the agent is, what it runs on, and its limits. */
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
      <AreaField path="description" label="Description" description="What it is for, for people" />
      {type === "autonomous" ? (
        <>
          <ModelField />
          <AreaField
            path="system_prompt"
            label="System prompt"
            description="Its instructions"
            minRows={4}
            isCode
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <WordsField
              path="tools"
              label="Tools"
              description="By name, as runners have them"
              known={tools}
            />
            <WordsField
              path="mcp_servers"
              label="MCP servers"
              description="By name, as runners have them"
              known={mcpServers}
            />
          </SimpleGrid>
        </>
      ) : (
        <ProgramField />
      )}
      <WordsField
        path="tags"
        label="Tags"
        description="A runner must have all of them to carry out its runs"
      />
      <SimpleGrid cols={{ base: 1, sm: 2 }}>
        <NumberField
          path="timeout_seconds"
          label="Timeout"
          unit="s"
          description="Seconds that a run may take. Default: none"
          placeholder="none"
        />
        <NumberField
          path="max_attempts"
          label="Attempts"
          description="How often a run is tried when its runner is lost. Default: 1, as agents have side effects"
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
        <Radio
          value="autonomous"
          label="Autonomous"
          description="A model that decides for itself, with tools and a prompt"
        />
        <Radio
          value="procedural"
          label="Procedural"
          description="A program that gets JSON and answers JSON"
        />
      </SimpleGrid>
    </Radio.Group>
  );
}
