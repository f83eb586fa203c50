import { Input, SegmentedControl, Stack, Textarea } from "@mantine/core";
import { type Draft, withField } from "../../editing/draft.ts";
import { useEditor, useField } from "../../editing/editor-context.ts";
import { TextField } from "../../editing/fields.tsx";
import { JsonTextField } from "../../editing/json-text-field.tsx";

/** What a procedural agent runs: a command, or a module. */
export function ProgramField() {
  const { draft, change } = useEditor();
  const { readOnly } = useField("command");
  const kind = draft.value.module === undefined ? "command" : "module";
  return (
    <Stack gap="xs">
      <Input.Wrapper label="Program" labelElement="div">
        <div>
          <SegmentedControl
            aria-label="What it runs"
            value={kind}
            readOnly={readOnly}
            onChange={(chosen) =>
              change((now) => withProgram(now, chosen === "module" ? "module" : "command"))
            }
            data={[
              { value: "command", label: "A command" },
              { value: "module", label: "A JavaScript module" },
            ]}
          />
        </div>
      </Input.Wrapper>
      {kind === "command" ? (
        <CommandField />
      ) : (
        <TextField
          path="module"
          label="Module"
          description="A file on the runner's machine; its default export is called with the parameters"
          placeholder="/srv/agents/report.mjs"
        />
      )}
    </Stack>
  );
}

/** A command, word by word: nothing in it is read by a shell, so that nothing needs quotes. */
function CommandField() {
  const { id, value, error, readOnly, set } = useField("command");
  const words = Array.isArray(value) ? value.map(String) : [];
  // A word with a line break in it cannot be told from two; those are rare, and written as JSON.
  if (words.some((word) => word.includes("\n"))) {
    return (
      <JsonTextField
        path="command"
        label="Command"
        description="Program and arguments, as a list. It gets the parameters as JSON on its standard input, and prints JSON."
        minRows={4}
      />
    );
  }
  return (
    <Textarea
      id={id}
      label="Command"
      description="Program and arguments, one a line. It gets the parameters as JSON on its standard input, and prints JSON."
      placeholder={"node\nreport.mjs"}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", fontSize: 13 } }}
      value={words.join("\n")}
      error={error}
      readOnly={readOnly}
      onChange={(event) => {
        const text = event.currentTarget.value;
        set(text === "" ? undefined : text.split("\n"));
      }}
      onBlur={() => {
        const kept = words.join("\n").trimEnd();
        if (kept !== words.join("\n")) set(kept === "" ? undefined : kept.split("\n"));
      }}
    />
  );
}

function withProgram(draft: Draft, kind: "command" | "module"): Draft {
  const other = kind === "command" ? "module" : "command";
  const aside = { ...draft.aside, [other]: draft.value[other] };
  const without = withField({ ...draft, aside }, other, undefined);
  // A module without a name is one that is being written.
  return withField(without, kind, draft.aside[kind] ?? (kind === "module" ? "" : undefined));
}
