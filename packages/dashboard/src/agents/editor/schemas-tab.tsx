import { Stack } from "@mantine/core";
import { JsonTextField } from "../../editing/json-text-field.tsx";

/** What goes in and what comes out, as JSON Schemas. */
export function SchemasTab() {
  return (
    <Stack gap="lg" maw={860}>
      <JsonTextField
        path="parameters_schema"
        label="Schema of the parameters"
        description="A JSON Schema. Whoever starts a run must send parameters that fit; leave it empty to take anything."
        placeholder={'{ "type": "object", "required": ["report_id"] }'}
        minRows={10}
      />
      <JsonTextField
        path="output_schema"
        label="Schema of the result"
        description="A JSON Schema. A result that does not fit fails the run; leave it empty to take anything."
        placeholder={'{ "type": "object" }'}
        minRows={10}
      />
    </Stack>
  );
}
