import { Button, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import type { NamedHook, RunHookDefinition, UsedHook } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { call } from "../api/call.ts";
import { queries } from "../api/queries.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";

/** Enforces a named hook with one click. */
export function EnforceNamedHook({ hook: { name, definition, etag } }: { readonly hook: NamedHook }) {
  const client = useQueryClient();
  return (
    <EnforceButton
      label={`Hook ${name}`}
      enforce={async () => {
        const body = enforced(definition);
        const headers = { "If-Match": etag };
        const now = await call("PUT /hooks/{name}", { params: { name }, body, headers });
        client.setQueryData(queries.hook(name).queryKey, now);
      }}
    />
  );
}

/** Enforces a hook of a blueprint with one click, in the agent as it is stored now. */
export function EnforceInlineHook({ hook }: { readonly hook: Extract<UsedHook, { source: "inline" }> }) {
  const client = useQueryClient();
  const { agent: name, name: type } = hook;
  return (
    <EnforceButton
      label={`Hook ${type} of ${name}`}
      enforce={async () => {
        const { blueprint, etag } = await call("GET /agents/{name}", { params: { name } });
        const definition = blueprint.hooks[type];
        if (definition === undefined || "$ref" in definition)
          throw new Error(`The agent ${name} has no such hook any more.`);
        const body = { ...blueprint, hooks: { ...blueprint.hooks, [type]: enforced(definition) } };
        const headers = { "If-Match": etag };
        const now = await call("PUT /agents/{name}", { params: { name }, body, headers });
        client.setQueryData(queries.agent(name).queryKey, now);
      }}
    />
  );
}

function enforced({ enforce: _, ...definition }: RunHookDefinition): RunHookDefinition {
  return definition;
}

interface Props {
  readonly label: string;
  readonly enforce: () => Promise<void>;
}

function EnforceButton({ label, enforce }: Props) {
  const mayChange = useMay("define");
  const client = useQueryClient();
  const enforcing = useWrite({
    mutationFn: enforce,
    onSuccess() {
      for (const subject of ["hooks", "hooks-in-use", "agents"])
        void client.invalidateQueries({ queryKey: [subject] });
      notifications.show({ message: `${label} is enforced` });
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "The hook was not changed", message: errorMessage(error) }),
  });
  if (!mayChange) return <Text size="sm">An administrator can enforce it.</Text>;
  return (
    <Button size="compact-sm" loading={enforcing.isPending} onClick={() => enforcing.mutate()}>
      Enforce hook
    </Button>
  );
}
