import { HttpClient, type InputArguments, type OperationName, type ResponseOf } from "@tenterhook/client";

/** The coordinator that serves this page. The query client cancels and repeats requests, so there is no timeout and no retry here. */
const client = new HttpClient({ url: "", timeoutMs: Number.POSITIVE_INFINITY, retry: { attempts: 1 } });

/** Sends a request. Rejects with a `RequestError`, which has a problem when the coordinator refuses. */
export function call<O extends OperationName>(
  operation: O,
  ...input: InputArguments<O>
): Promise<ResponseOf<O>> {
  return client.send(operation, ...input);
}
