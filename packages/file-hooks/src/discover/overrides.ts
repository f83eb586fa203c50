import { dirname, join } from "node:path";
import { typedCommand } from "@tenterhook/internal";
import { readSmallText } from "@tenterhook/internal/files";
import type { Finding, HookFile } from "@tenterhook/protocol";
import type { TrustSource } from "./catalogued-hook.ts";
import type { ByName, Override } from "./overrides-toml.ts";

/** The name of a file with settings of hooks. */
export const TOML = "hooks.toml";

/** The settings of all hooks.toml files: the user's for all hooks, a project's for the hooks beside it. */
export interface AllOverrides {
  readonly user: ByName;
  /** By the hooks root that it is in. */
  readonly projects: ReadonlyMap<string, ByName>;
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

export interface ReadOverrides {
  readonly overrides: AllOverrides;
  readonly findings: readonly Finding[];
  /** One of the files could not be read, and may be readable the next moment. */
  readonly mayPass: boolean;
}

/** Reads the hooks.toml of the user's hooks root and of each project's. Without trust, a project's counts as it is now. */
export async function readOverrides(
  userHooks: string,
  projects: ReadonlySet<string>,
  trust: TrustSource | undefined,
): Promise<ReadOverrides> {
  const findings: Finding[] = [];
  const texts = [
    { file: join(userHooks, TOML), ...asItIs(join(userHooks, TOML)) },
    ...[...projects].map((folder) => {
      const file = join(folder, TOML);
      return { file, ...(trust === undefined ? asItIs(file) : asTrusted(file, trust)) };
    }),
  ];
  const read = new Map<string, ByName>();
  for (const { file, text, finding } of texts) {
    if (text !== undefined) {
      const { parseOverrides } = await import("./overrides-toml.ts");
      const { byName, findings: own } = parseOverrides(file, text);
      read.set(dirname(file), byName);
      findings.push(...own);
    }
    if (finding !== undefined) findings.push(finding);
  }
  const user = read.get(userHooks) ?? NONE;
  read.delete(userHooks);
  return { overrides: { user, projects: read }, findings, mayPass: texts.some(({ mayPass }) => mayPass) };
}

const NONE: ByName = new Map();

interface Counting {
  readonly text: string | undefined;
  readonly finding?: Finding;
  readonly mayPass?: boolean;
}

function asItIs(file: string): Counting {
  const now = readSmallText(file);
  if (now === undefined || "text" in now) return { text: now?.text };
  return {
    text: undefined,
    ...(now.mayPass && { mayPass: true }),
    finding: { severity: "error", file, message: `${now.problem}, so it has no effect` },
  };
}

/** A project's hooks.toml counts as it was trusted: an agent that edits it could otherwise switch a guard off. */
function asTrusted(file: string, trust: TrustSource): Counting {
  const now = readSmallText(file);
  const text = trust.toml(file);
  if (now === undefined ? text === undefined : "text" in now && now.text === text) return { text };
  if (trust.problem !== undefined) return { text };
  const what =
    text === undefined
      ? "was never trusted, so it has no effect"
      : "was changed since it was trusted; the trusted one counts";
  const message = `it ${what}. Look at it, then run: ${typedCommand()} trust`;
  return { text, finding: { severity: "warning", file, message } };
}
