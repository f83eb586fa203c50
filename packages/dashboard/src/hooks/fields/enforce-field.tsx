import { Switch } from "@mantine/core";
import { useField } from "../../editing/editor-context.ts";

/** Whether anything follows from what the hook answers. A hook that is enforced has no such field. */
export function EnforceField({ path }: { readonly path: string }) {
  const { id, value, error, readOnly, set } = useField(path);
  return (
    <Switch
      id={id}
      label="Enforce"
      description="Off: the hook is called and what it would have done is recorded, and it changes nothing"
      checked={value !== false}
      error={error}
      disabled={readOnly}
      onChange={({ currentTarget }) => set(currentTarget.checked ? undefined : false)}
    />
  );
}
