import { Stack } from "@mantine/core";
import { JsonTextField } from "../../editing/json-text-field.tsx";

/** The JSON Schemas of the parameters and the result. */
export function SchemasTab() {
  return (
    <Stack gap="lg" maw={860}>
      <JsonTextField
        path="parameters_schema"
        label="Parameters schema"
        description="A JSON Schema that the parameters of a run must match. Leave empty to accept anything."
        placeholder={'{ "type": "object", "required": ["report_id"] }'}
        minRows={10}
      />
      <JsonTextField
        path="output_schema"
        label="Result schema"
        description="A JSON Schema. A run fails if its result does not match. Leave empty to accept anything."
        placeholder={'{ "type": "object" }'}
        minRows={10}
      />
    </Stack>
  );
}
