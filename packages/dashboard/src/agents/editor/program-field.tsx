import { Input, SegmentedControl, Stack, Textarea } from "@mantine/core";
import classes from "../../components/code-input.module.css";
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
            aria-label="Program type"
            value={kind}
            readOnly={readOnly}
            onChange={(chosen) =>
              change((now) => withProgram(now, chosen === "module" ? "module" : "command"))
            }
            data={[
              { value: "command", label: "Command" },
              { value: "module", label: "JavaScript module" },
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

/** A command, one argument per line: no shell interprets it, so no argument needs quotes. */
function CommandField() {
  const { id, value, error, readOnly, set } = useField("command");
  const args = Array.isArray(value) ? value.map(String) : [];
  // An argument with a line break would look like two arguments; such commands are edited as JSON.
  if (args.some((arg) => arg.includes("\n"))) {
    return (
      <JsonTextField
        path="command"
        label="Command"
        description="Program and arguments, as a list. It reads the parameters as JSON from standard input and prints its result as JSON."
        minRows={4}
      />
    );
  }
  return (
    <Textarea
      id={id}
      label="Command"
      description="Program and arguments, one per line. It reads the parameters as JSON from standard input and prints its result as JSON."
      placeholder={"node\nreport.mjs"}
      autosize
      minRows={2}
      maxRows={16}
      spellCheck={false}
      classNames={classes}
      value={args.join("\n")}
      error={error}
      readOnly={readOnly}
      onChange={(event) => {
        const text = event.currentTarget.value;
        set(text === "" ? undefined : text.split("\n"));
      }}
      onBlur={() => {
        const kept = args.join("\n").trimEnd();
        if (kept !== args.join("\n")) set(kept === "" ? undefined : kept.split("\n"));
      }}
    />
  );
}

function withProgram(draft: Draft, kind: "command" | "module"): Draft {
  const other = kind === "command" ? "module" : "command";
  const replaced = { ...draft.replaced, [other]: draft.value[other] };
  const without = withField({ ...draft, replaced }, other, undefined);
  // An empty module name means that the user has not typed it yet.
  return withField(without, kind, draft.replaced[kind] ?? (kind === "module" ? "" : undefined));
}
