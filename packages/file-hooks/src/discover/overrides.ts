import { dirname, join } from "node:path";
import { typedCommand } from "@tenterhook/internal";
import { readSmallText } from "@tenterhook/internal/files";
import { eventRow, type Finding, type HookFile } from "@tenterhook/protocol";
import { type FileMatcher, listMatchers } from "@tenterhook/protocol/internal";
import type { TrustSource } from "./catalogued-hook.ts";
import type { HookScope } from "./locations.ts";
import type { ByName, Override } from "./overrides-toml.ts";

/** The name of a file with settings of hooks. */
export const TOML = "hooks.toml";

/** The settings of all hooks.toml files: the user's for all hooks, a project's for the hooks beside it. */
export interface AllOverrides {
  readonly user: ByName;
  /** By the hooks root that it is in. */
  readonly projects: ReadonlyMap<string, ByName>;
}

/** The hook with an override applied, but for those settings that have no effect on it. */
export function overridden(hook: HookFile, override: Override | undefined, of: HookScope): HookFile {
  if (override === undefined) return hook;
  const { priority, timeoutMs, onError, enforce } = override;
  const ineffective = ineffectiveSettings(hook, override, of);
  const action = "action" in ineffective ? undefined : override.action;
  const notPath = "not_path" in ineffective ? undefined : override.notPath;
  return {
    ...hook,
    ...(priority !== undefined && { priority }),
    ...(timeoutMs !== undefined && { timeoutMs }),
    ...(onError !== undefined && { onError }),
    ...(enforce !== undefined && { enforce }),
    ...(action !== undefined && hook.action !== undefined && { action: { ...hook.action, type: action } }),
    ...(notPath !== undefined && { matcher: withNotPath(listMatchers(hook) ?? [], notPath) }),
  };
}

function withNotPath(
  matchers: readonly FileMatcher[],
  added: readonly string[],
): NonNullable<HookFile["matcher"]> {
  const list = matchers.map((each) =>
    each.effect === undefined ? each : { ...each, notPath: [...(each.notPath ?? []), ...added] },
  );
  return list.length === 1 && list[0] !== undefined ? list[0] : list;
}

/** Why settings of an override have no effect on a hook, by their names in the file. */
export function ineffectiveSettings(
  hook: HookFile,
  { action, notPath }: Override,
  of: HookScope,
): { readonly action?: string; readonly not_path?: string } {
  const { name } = hook;
  const stricterOnly =
    "a project's hooks.toml can only make a rule stricter; a person can set it in the user's";
  const why: { action?: string; not_path?: string } = {};
  if (action !== undefined && hook.action === undefined) why.action = `${name} has no action to change`;
  else if (action === "ask" && hook.action?.type === "block" && of === "project") why.action = stricterOnly;
  else if (action === "ask" && hook.events.some((event) => !eventRow(event).outcomes.includes("ask")))
    why.action = `no person can be asked at ${hook.trigger}`;
  if (notPath === undefined) return why;
  if (of === "project") why.not_path = stricterOnly;
  else if (!listMatchers(hook)?.some(({ effect }) => effect !== undefined))
    why.not_path = `the matcher of ${name} has no effect, so it is not about paths`;
  return why;
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
