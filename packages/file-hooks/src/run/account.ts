import { userInfo } from "node:os";

/** The variables that name the user, by the system's record of the account; none where it has no entry, as in some containers. */
export function accountVariables(): Readonly<Record<string, string>> {
  account ??= readAccount();
  return account;
}

let account: Readonly<Record<string, string>> | undefined;

function readAccount(): Readonly<Record<string, string>> {
  try {
    const { username, shell } = userInfo();
    // An entry without a shell means this one.
    return { USER: username, LOGNAME: username, SHELL: shell || "/bin/sh" };
  } catch {
    return {};
  }
}
