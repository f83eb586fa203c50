import { userInfo } from "node:os";

/** The name of the user of this system, as the coordinator accepts it; `undefined` when there is none. */
export async function systemUser(): Promise<string | undefined> {
  // Loaded here, so that --help does not load it.
  const { personName } = await import("@tenterhook/protocol/runs");
  return personName.safeParse(userName()).data;
}

function userName(): string | undefined {
  try {
    return userInfo().username;
  } catch {
    // A process in a container may have a user id without a name.
    return process.env.USER;
  }
}
