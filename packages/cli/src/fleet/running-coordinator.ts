import type { LoginLink } from "@tenterhook/protocol/runs";
import { findAccess } from "./access.ts";
import { CoordinatorClient, Unreachable } from "./coordinator-client.ts";

/** A coordinator that runs already. */
export interface RunningCoordinator {
  readonly url: string;
  /** Opens the page, once. */
  readonly loginUrl: string;
}

/** The coordinator that a data folder belongs to now; `undefined` when none runs, whatever an earlier one left there. */
export async function runningCoordinator(data: string): Promise<RunningCoordinator | undefined> {
  // Only what lies in the folder counts: a token of the environment may be another coordinator's.
  const access = accessIn(data);
  if (access === undefined) return undefined;
  try {
    const { url } = await new CoordinatorClient(access).send<LoginLink>("POST", "/login-links");
    return { url: access.url, loginUrl: url };
  } catch (error) {
    // A process of another kind may have the port by now; then its refusal is no reason not to start.
    if (error instanceof Unreachable || Object(error).details?.code === undefined) return undefined;
    throw error;
  }
}

function accessIn(data: string) {
  try {
    return findAccess({ url: undefined, token: undefined, data }, {});
  } catch {
    return undefined;
  }
}
