import type { Finding, HookFile } from "@tenterhook/protocol";

/** The name of a file with settings of hooks. */
export const TOML = "hooks.toml";

/** The settings of one hook in a hooks.toml. */
export interface Override {
  readonly enabled?: boolean;
  readonly priority?: number;
  readonly timeoutMs?: number;
  readonly onError?: HookFile["onError"];
  readonly enforce?: boolean;
}

export interface Overrides {
  /** By the normal form of their names. */
  readonly byName: ReadonlyMap<string, Override>;
  readonly findings: readonly Finding[];
}

/** The hook with an override applied. */
export function overridden(hook: HookFile, override: Override | undefined): HookFile {
  if (override === undefined) return hook;
  const { priority, timeoutMs, onError, enforce } = override;
  return {
    ...hook,
    ...(priority !== undefined && { priority }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onError !== undefined && { onError }),
    ...(enforce !== undefined && { enforce }),
  };
}
