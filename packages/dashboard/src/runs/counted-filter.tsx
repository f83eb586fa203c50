import { Button } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { formatNames } from "../components/format-names.ts";
import { outcomeLabel } from "../insights/outcome-groups.ts";
import type { RunFilters } from "./run-filters.ts";

interface Props {
  readonly filters: RunFilters;
  readonly onChange: (part: Partial<RunFilters>) => void;
}

/** The filters that a number of the overview or of a hook's page leads to; each can be removed. */
export function CountedFilter({ filters: { decision, tool, model, executedBy }, onChange }: Props) {
  return (
    <>
      {decision.length > 0 && (
        <Removable
          label={`Decided: ${decision.map(outcomeLabel).join(", ")}`}
          onRemove={() => onChange({ decision: [], tool: undefined })}
        />
      )}
      {tool !== undefined && (
        <Removable label={toolLabel(tool)} onRemove={() => onChange({ tool: undefined })} />
      )}
      {model !== undefined && (
        <Removable label={modelLabel(model)} onRemove={() => onChange({ model: undefined })} />
      )}
      {executedBy !== undefined && (
        <Removable
          label={executedBy === "*" ? "Executed" : `Executed by ${formatNames(executedBy)}`}
          onRemove={() => onChange({ executedBy: undefined })}
        />
      )}
    </>
  );
}

function toolLabel(tool: string): string {
  return tool === "-" ? "About no tool" : `Tool: ${formatNames(tool)}`;
}

function modelLabel(model: string): string {
  if (model === "*") return "Called a model";
  return model === "-" ? "Called a model without a name" : `Called ${formatNames(model)}`;
}

function Removable({ label, onRemove }: { readonly label: string; readonly onRemove: () => void }) {
  return (
    <Button
      variant="light"
      px="sm"
      fw={500}
      maw={280}
      title={label}
      aria-label={`Remove the filter ${label}`}
      rightSection={<IconX size={14} aria-hidden />}
      onClick={onRemove}
    >
      {label}
    </Button>
  );
}
