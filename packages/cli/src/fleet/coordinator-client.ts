import {
  type InputArguments,
  isRequestError,
  type OperationName,
  RequestError,
  type ResponseOf,
  TenterhookClient,
} from "@tenterhook/client";
import { isRecord } from "@tenterhook/internal";
import type { Access } from "./access.ts";
import { RESPONSE_FIELDS } from "./generated/response-fields.ts";
import { suggestName } from "./suggest-name.ts";

/** A request may take this long: a person sees that it waits, and can end it. */
const TIMEOUT_MS = 300_000;

/**
 * The client of the commands. A response without the field that it should have is a `bad_response`: a mistyped URL may lead to
 * any server. The refusal of an unknown name suggests a similar one that exists.
 */
export class CoordinatorClient extends TenterhookClient {
  constructor({ url, token }: Access) {
    super({ url, token, timeoutMs: TIMEOUT_MS, retry: { attempts: 1 } });
  }

  override async send<O extends OperationName>(
    operation: O,
    ...input: InputArguments<O>
  ): Promise<ResponseOf<O>> {
    try {
      const response = await super.send(operation, ...input);
      const field = RESPONSE_FIELDS[operation];
      if (field === undefined || (isRecord(response) && field in response)) return response;
      throw new RequestError("bad_response", `the response of ${this.url} is not one of a coordinator`, {
        status: 200,
      });
    } catch (error) {
      if (!isRequestError(error) || error.problem === undefined) throw error;
      const { code, status, problem } = error;
      const suggestion = await suggestName(problem.detail, (list, limit) =>
        super.send(list, { query: { limit } }),
      );
      if (suggestion === undefined) throw error;
      const corrected = { ...problem, hint: `Did you mean ${suggestion}?` };
      throw new RequestError(code, problem.detail, { status, problem: corrected });
    }
  }
}
