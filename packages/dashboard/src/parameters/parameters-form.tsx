import { Alert, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { isRecord, ownField } from "@tenterhook/internal";
import { useEffect, useId, useMemo, useState } from "react";
import { JsonField } from "../components/json-field.tsx";
import { parseJson } from "../components/parse-json.ts";
import { FieldInputs } from "./field-input.tsx";
import { fieldsOf } from "./fields.ts";
import { type FormState, FormStateContext } from "./form-state.ts";
import { fieldErrors, firstValues, type Path } from "./form-values.ts";
import { problemPath } from "./problem-path.ts";
import { withProperty } from "./with-property.ts";

export interface ParametersFormProps {
  /** The agent's `parameters_schema`. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Record<string, unknown>) => void;
  readonly onValidity?: (isValid: boolean) => void;
  /** Text that is not valid JSON, by the path of its field, to begin with; the empty path is the whole. */
  readonly invalidTexts?: InvalidTexts | undefined;
  readonly onInvalidTexts?: (texts: InvalidTexts) => void;
  /** The coordinator's error about a field, by its path: `parameters.report_id`. */
  readonly problem?: { readonly field: string | undefined; readonly message: string } | undefined;
  /** The user tried to submit: all errors are shown, also of fields that were not visited. */
  readonly isTried?: boolean;
}

export type InvalidTexts = Readonly<Record<string, string>>;

/** Edits the parameters of a run, as a form generated from the agent's schema or as JSON. Defaults are filled in. */
export function ParametersForm(props: ParametersFormProps) {
  const { schema, value, onChange, onValidity, onInvalidTexts, problem, isTried = false } = props;
  const schemaText = JSON.stringify(schema);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text identifies the schema; the object changes with every request
  const fields = useMemo(() => fieldsOf(schema), [schemaText]);
  const [isJson, setJson] = useState(props.invalidTexts?.[""] !== undefined);
  const [invalid, setInvalid] = useState<InvalidTexts>(props.invalidTexts ?? {});
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const prefix = useId();
  const idOf = (path: Path) => [prefix, ...path].join(".");

  // biome-ignore lint/correctness/useExhaustiveDependencies: once for a schema
  useEffect(() => {
    const first = firstValues(fields ?? []);
    if (Object.keys(value).length === 0 && Object.keys(first).length > 0) onChange(first);
  }, [fields]);

  const asJson = isJson || fields === undefined;
  const errors = asJson ? [] : fieldErrors(fields, value);
  const isAllJson = Object.keys(invalid).length === 0;
  const isValid = errors.length === 0 && isAllJson;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when it changes
  useEffect(() => onValidity?.(isValid), [isValid]);

  const problemId = problem === undefined ? undefined : idOf(problemPath(fields ?? [], problem.field));
  useEffect(() => {
    if (problemId !== undefined) document.getElementById(problemId)?.focus();
  }, [problemId]);

  const state: FormState = {
    idOf,
    messageAt: (path) => {
      const id = idOf(path);
      if (problemId === id) return problem?.message;
      const error = errors.find((each) => idOf(each.path) === id);
      return isTried || left.has(id) ? error?.message : undefined;
    },
    onLeave: (path) => setLeft((before) => new Set(before).add(idOf(path))),
    onValidity: (path, valid, text) => {
      const { [formatKey(path)]: _before, ...others } = invalid;
      const now = valid ? others : { ...others, [formatKey(path)]: text };
      setInvalid(now);
      onInvalidTexts?.(now);
    },
    invalidTextAt: (path) => ownField(invalid, formatKey(path)),
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
              aria-label="Parameters format"
              data={["Form", "JSON"]}
              value={asJson ? "JSON" : "Form"}
              // Invalid JSON would be lost.
              disabled={!isAllJson}
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
        {!asJson && problemId === prefix && (
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
  const [isObjectNow, setObject] = useState(() => !isOtherJson(state.invalidTextAt([])));
  return (
    <JsonField
      label={hasForm ? "All parameters as JSON" : "Parameters"}
      description={hasForm ? undefined : "The agent has no parameters schema: any JSON object is accepted."}
      value={value}
      invalidText={state.invalidTextAt([])}
      onChange={(now) => {
        setObject(isRecord(now));
        if (isRecord(now)) onChange({ ...now });
        else state.onValidity([], false, JSON.stringify(now));
      }}
      onValidity={(isValid, text) => state.onValidity([], isValid, text)}
      error={isObjectNow ? problem?.message : "Must be a JSON object: { … }"}
    />
  );
}

/** Whether a text that is not a JSON object is JSON at all. */
function isOtherJson(text: string | undefined): boolean {
  return text !== undefined && parseJson(text).problem === undefined;
}

function formatKey(path: Path): string {
  return path.join(".");
}
