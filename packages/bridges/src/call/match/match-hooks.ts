import { createHooks, type EventName, type Hooks } from "@tenterhook/engine";
import {
  type CataloguedHook,
  FileHooks,
  formatFinding,
  type HookScope,
  type Locations,
} from "@tenterhook/file-hooks";
import { findGuards, mustBlock, recordKnownGuards, updateGuards } from "@tenterhook/file-hooks/discover";
import type { Finding } from "@tenterhook/protocol";
import type { OpenCall } from "../read/read-call.ts";
import type { Translated } from "../translate/translate.ts";
import {
  type Plan,
  type PlanFinding,
  type PlannedHook,
  type PlannedHooks,
  planHooks,
  signaturesFor,
  storePlan,
} from "./plan-file.ts";

/** A message that is new to the session: a problem of a file, or what a hook printed. */
export interface Report {
  readonly text: string;
  /** The file that has the problem. */
  readonly file?: string;
}

/** The hooks that take part in a call. */
export interface Matched {
  readonly set: HookSet;
  /** All of them, by event. */
  readonly plan: PlannedHooks;
  /** Those of the call's own events. */
  readonly active: readonly PlannedHook[];
  /** Whether the call is left to another entry of the client's configuration, which has decided about it. */
  readonly isTaken: boolean;
  /** Hooks that run add to it. */
  readonly reports: readonly Report[];
}

/**
 * Finds the hooks of a call, by the stored plan if it is valid, and reports problems of their files once in a session. A call with hooks
 * is claimed, so that only one entry of the client's configuration asks them.
 */
export async function matchHooks(
  open: OpenCall,
  translated: Translated,
  stored: Plan | undefined,
): Promise<Matched> {
  const { session, folders } = open.location;
  const reports: Report[] = [];
  const files = new Map<string, string>();
  // A file may get a problem after the plan was made.
  const report = (text: string, finding?: Finding) => {
    if (!session.isNewNotice(text)) return;
    const file = finding?.file ?? files.get(text);
    reports.push(file === undefined ? { text } : { text, file });
  };
  const set = new HookSet({ folders, env: open.call.env, mode: "sync", report });
  const { hooks: plan, findings } = stored ?? (await makePlan(open, set));
  for (const { text, file } of findings) files.set(text, file);
  session.reportOnce(
    findings.map(({ text }) => text),
    report,
  );
  const active = translated.steps.flatMap(({ event }) => plan[event] ?? []);
  const isTaken = active.length > 0 && !claimCall(open, translated);
  return { set, plan, active, isTaken, reports };
}

/** Takes the event for this process; false when another entry of the client's configuration has decided about it. */
function claimCall({ call, native, location: { session } }: OpenCall, { steps }: Translated): boolean {
  const event = steps[0]?.event;
  const { timestamp: _, ...payload } = native.payload;
  const what = event?.includes("_tool")
    ? (["toolUseId", "toolName", "toolInput"] as const).map((name) => native.values[name])
    : [payload];
  return session.claim(JSON.stringify([event, ...what]), call.entry ?? call.client);
}

/** Reads all hooks, and stores the plan and the guards for the next process. */
export async function makePlan({ location }: OpenCall, set: HookSet): Promise<Plan> {
  const { locations, state } = location;
  const signatures = signaturesFor(locations);
  const { active: all, findings, unread } = await set.read();
  const plan: Plan = {
    hooks: planHooks(all, mustBlock),
    findings: findings.map(planFinding),
  };
  const projects = locations.flatMap(({ project }) => project ?? []);
  const isRecorded = await recordKnownGuards(state, userRoot(locations), all);
  // What is not known to be trusted is not known to be untrusted either: the lines of projects stay as they are.
  const isTrustKnown = set.trustProblem === undefined;
  const isUpdated = unread.has("user")
    ? false
    : isTrustKnown
      ? await updateGuards(state, projects, findGuards(all))
      : await updateGuards(state, [], findGuards(all.filter(({ scope }) => scope === "user")));
  // With a plan, the next process would not write the guards, and not read what could not be read now.
  if (isUpdated && isRecorded && isTrustKnown && unread.size === 0) storePlan(locations, plan, signatures);
  return plan;
}

function planFinding(finding: Finding): PlanFinding {
  return { file: finding.file, text: formatFinding(finding) };
}

/** All folders of a call share the user's hooks. */
function userRoot([first]: readonly Locations[]): string {
  return first?.userHooks ?? "";
}

interface HookSetOptions {
  /** The folders whose projects count, the current one first. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which kind is run: sync hooks while the client waits, background hooks afterwards. */
  readonly mode: HookSetMode;
  /** Receives messages for the person; a problem of a file with its finding. */
  readonly report: (message: string, finding?: Finding) => void;
}

interface ReadHooks {
  readonly active: readonly CataloguedHook[];
  readonly findings: readonly Finding[];
  readonly unread: ReadonlySet<HookScope>;
}

type HookSetMode = "sync" | "background" | "all";

/** The hooks in files that count in a session: the user's, and those of every folder's project, each once. */
export class HookSet {
  readonly hooks: Hooks;
  /** By the rule that has refused or asked: what a person can write so that it does less. */
  readonly ruleSettings = new Map<string, string>();
  readonly #sources: readonly FileHooks[];
  /** Which of the sources registers a hook that several of them find. */
  readonly #owners = new Map<string, FileHooks>();

  constructor({ folders, env, mode, report }: HookSetOptions) {
    // Every dispatch returns its failures, so they are not reported here.
    this.hooks = createHooks({ report: () => undefined });
    this.#sources = [...new Set(folders)].map((cwd) => {
      const source: FileHooks = new FileHooks({
        cwd,
        env,
        inheritedEnv: env,
        log: report,
        onRuleSetting: (hook, setting) => void this.ruleSettings.set(hook, setting),
        // For a process of one call a guard would take as long to start as a hook, and the shells of that process notice its end.
        guardProcesses: false,
        accepts: (each) => hasMode(mode, each) && this.#ownerOf(each, source) === source,
      });
      source.attach(this.hooks);
      return source;
    });
  }

  /** The hooks that take part, for an event or all of them. */
  async active(event?: EventName): Promise<readonly CataloguedHook[]> {
    return (await this.read(event)).active;
  }

  /** The same, with the problems of the hook files, and the scopes of which something could not be read. */
  async read(event?: EventName): Promise<ReadHooks> {
    const found = new Map<string, CataloguedHook>();
    const findings = new Map<string, Finding>();
    const unread = new Set<HookScope>();
    for (const source of this.#sources) {
      const catalogue = await source.catalogue(event);
      for (const each of catalogue.hooks) {
        const key = makeKey(each);
        if (each.inactive === undefined) found.set(key, found.get(key) ?? each);
      }
      for (const finding of catalogue.findings) findings.set(formatFinding(finding), finding);
      for (const scope of catalogue.unread) unread.add(scope);
    }
    return { active: [...found.values()], findings: [...findings.values()], unread };
  }

  /** Why it is not known what is trusted, if it is not. */
  get trustProblem(): string | undefined {
    return this.#sources.map(({ trust }) => trust.problem).find((problem) => problem !== undefined);
  }

  #ownerOf(each: CataloguedHook, asking: FileHooks): FileHooks {
    const owner = this.#owners.get(each.file) ?? asking;
    this.#owners.set(each.file, owner);
    return owner;
  }
}

/** A hook is its file. A guard that is gone at some of its events may still have one. */
function makeKey({ file, hook, gone }: CataloguedHook): string {
  return gone === undefined ? file : JSON.stringify([file, hook.name, hook.events]);
}

function hasMode(mode: HookSetMode, { hook }: CataloguedHook): boolean {
  return mode === "all" || hook.mode === mode;
}
