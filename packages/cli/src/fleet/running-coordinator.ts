import { isRequestError } from "@tenterhook/client";
import { findAccess } from "./access.ts";
import { CoordinatorClient } from "./coordinator-client.ts";
import { systemUser } from "./system-user.ts";

/** A coordinator that is already running. */
export interface RunningCoordinator {
  readonly url: string;
  /** A sign-in link that works once. */
  readonly loginUrl: string;
}

/** The coordinator that uses a data folder now; `undefined` when none is running, even if files of an earlier one exist. */
export async function runningCoordinator(data: string): Promise<RunningCoordinator | undefined> {
  // Ignore the environment: its token may belong to another coordinator.
  const access = accessIn(data);
  if (access === undefined) return undefined;
  try {
    const body = { name: await systemUser() };
    const { url } = await new CoordinatorClient(access).access.createLoginLink(body);
    return { url: access.url, loginUrl: url };
  } catch (error) {
    // Another program may use the port now; its response must not prevent the start.
    if (isRequestError(error) && (error.problem === undefined || error.isTransient)) return undefined;
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
