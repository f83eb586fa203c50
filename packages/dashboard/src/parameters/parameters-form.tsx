import { Alert, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useEffect, useId, useMemo, useState } from "react";
import { JsonField } from "../parts/json-field.tsx";
import { FieldInputs } from "./field-input.tsx";
import { fieldsOf } from "./fields.ts";
import { type FormState, FormStateContext } from "./form-state.ts";
import { firstValues, misfitsOf, type Path } from "./form-values.ts";
import { isObject, withProperty } from "./json-values.ts";
import { problemPlace } from "./problem-place.ts";

export interface ParametersFormProps {
  /** The agent's `parameters_schema`. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Record<string, unknown>) => void;
  readonly onValidity?: (isValid: boolean) => void;
  /** What the coordinator said of a field, by its path: `parameters.report_id`. */
  readonly problem?: { readonly field: string | undefined; readonly message: string } | undefined;
  /** Somebody wanted to send it: whatever is wrong is said now, also where nobody has been yet. */
  readonly isTried?: boolean;
}

/** A form for the parameters of a run, made of the agent's schema, or JSON. Presets of the schema are filled in. */
export function ParametersForm(props: ParametersFormProps) {
  const { schema, value, onChange, onValidity, problem, isTried = false } = props;
  const schemaText = JSON.stringify(schema);
  // biome-ignore lint/correctness/useExhaustiveDependencies: its text is the schema; the object is another one whenever it was read again
  const fields = useMemo(() => fieldsOf(schema), [schemaText]);
  const [isJson, setJson] = useState(false);
  const [invalid, setInvalid] = useState<ReadonlySet<string>>(new Set());
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const prefix = useId();
  const idOf = (path: Path) => [prefix, ...path].join(".");

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a schema
  useEffect(() => {
    const first = firstValues(fields ?? []);
    if (Object.keys(value).length === 0 && Object.keys(first).length > 0) onChange(first);
  }, [fields]);

  const asJson = isJson || fields === undefined;
  const misfits = asJson ? [] : misfitsOf(fields, value);
  const isValid = misfits.length === 0 && invalid.size === 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: told when it changes
  useEffect(() => onValidity?.(isValid), [isValid]);

  const place = problem === undefined ? undefined : idOf(problemPlace(fields ?? [], problem.field));
  useEffect(() => {
    if (place !== undefined) document.getElementById(place)?.focus();
  }, [place]);

  const state: FormState = {
    idOf,
    messageAt: (path) => {
      const id = idOf(path);
      if (place === id) return problem?.message;
      const misfit = misfits.find((each) => idOf(each.path) === id);
      return isTried || left.has(id) ? misfit?.message : undefined;
    },
    onLeave: (path) => setLeft((before) => new Set(before).add(idOf(path))),
    onValidity: (path, valid) =>
      setInvalid((before) => (valid ? without(before, idOf(path)) : new Set(before).add(idOf(path)))),
  };

  return (
    <FormStateContext.Provider value={state}>
      <Stack gap="xs" {...(fields !== undefined && { role: "group", "aria-label": "Parameters" })}>
        {fields !== undefined && (
          <Group justify="space-between">
            <Text fw={600} size="sm">
              Parameters
            </Text>
            <SegmentedControl
              size="xs"
              aria-label="How to write the parameters"
              data={["Form", "JSON"]}
              value={asJson ? "JSON" : "Form"}
              // What is no JSON yet would be lost.
              disabled={invalid.size > 0}
              onChange={(chosen) => setJson(chosen === "JSON")}
            />
          </Group>
        )}
        {asJson ? (
          <WholeJson {...props} hasForm={fields !== undefined} state={state} />
        ) : fields.length === 0 ? (
          <Text size="sm">This agent takes no parameters.</Text>
        ) : (
          <FieldInputs
            fields={fields}
            path={[]}
            values={value}
            onChange={(name, now) => onChange(withProperty(value, name, now))}
          />
        )}
        {!asJson && place === prefix && (
          <Alert color="red" variant="light" role="alert">
            {problem?.message}
          </Alert>
        )}
      </Stack>
    </FormStateContext.Provider>
  );
}

interface WholeProps extends ParametersFormProps {
  readonly hasForm: boolean;
  readonly state: FormState;
}

function WholeJson({ value, onChange, problem, hasForm, state }: WholeProps) {
  const [isObjectNow, setObject] = useState(true);
  return (
    <JsonField
      label={hasForm ? "All parameters as JSON" : "Parameters"}
      description={hasForm ? undefined : "The agent does not say what it takes: any JSON object will do."}
      value={value}
      onChange={(now) => {
        setObject(isObject(now));
        state.onValidity([], isObject(now));
        if (isObject(now)) onChange({ ...now });
      }}
      onValidity={(isValid) => state.onValidity([], isValid)}
      error={isObjectNow ? problem?.message : "Parameters are a JSON object: { … }"}
    />
  );
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const rest = new Set(ids);
  rest.delete(id);
  return rest;
}
