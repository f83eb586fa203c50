/** Where a runner of this process stores the run whose tool calls this code. Registered, so that copies of this package share it. */
const CURRENT_RUN = Symbol.for("tenterhook.current-run");

/** An id that can be sent in a header. */
const RUN_ID = /^[\w.:-]{1,100}$/;

/**
 * The id of the run whose agent this code belongs to. A runner sets it for its agents' tools, and in the environment of programs and
 * commands. Undefined elsewhere.
 */
export function currentRun(): string | undefined {
  const { [CURRENT_RUN]: store, process } = globalThis as {
    readonly [CURRENT_RUN]?: { getStore(): string | undefined };
    readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> };
  };
  const id = store?.getStore() ?? process?.env?.TENTERHOOK_RUN_ID;
  return id !== undefined && RUN_ID.test(id) ? id : undefined;
}
