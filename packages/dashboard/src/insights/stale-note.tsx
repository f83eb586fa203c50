import { Alert } from "@mantine/core";
import { errorMessage } from "../components/error-message.ts";

interface Props {
  /** Why the last attempt to read the numbers failed; null when it did not. */
  readonly error: Error | null;
}

/** Says that the numbers are those of an earlier time, and why. */
export function StaleNote({ error }: Props) {
  if (error === null) return null;
  return (
    <Alert color="red" variant="light" role="status" title="The latest numbers could not be read">
      {errorMessage(error)} Those of before are shown until they can be.
    </Alert>
  );
}
