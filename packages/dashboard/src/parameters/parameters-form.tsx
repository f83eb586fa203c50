import { JsonField } from "../parts/json-field.tsx";

export interface ParametersFormProps {
  /** The agent's `parameters_schema`. */
  readonly schema: Readonly<Record<string, unknown>> | undefined;
  readonly value: Readonly<Record<string, unknown>>;
  readonly onChange: (value: Record<string, unknown>) => void;
  readonly onValidity?: (isValid: boolean) => void;
  /** What the coordinator said of a field, by its path: `parameters.report_id`. */
  readonly problem?: { readonly field: string | undefined; readonly message: string } | undefined;
}

/** A form for the parameters of a run, made of the agent's schema. */
export function ParametersForm({ value, onChange, onValidity, problem }: ParametersFormProps) {
  return (
    <JsonField
      label="Parameters"
      value={value}
      onChange={(next) => onChange(next as Record<string, unknown>)}
      {...(onValidity !== undefined && { onValidity })}
      error={problem?.message}
    />
  );
}
