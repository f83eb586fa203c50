import { createHooks, type EventName, type Hooks } from "@tenterhook/engine";
import { type CataloguedHook, FileHooks, formatFinding, type HookScope } from "@tenterhook/file-hooks";
import type { Finding } from "@tenterhook/protocol";

export interface HookSetOptions {
  /** The folders whose projects count, the current one first. */
  readonly folders: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Which kind is run: sync hooks while the client waits, background hooks afterwards. */
  readonly mode: HookSetMode;
  /** Receives messages for the person; a problem of a file with its finding. */
  readonly report: (message: string, finding?: Finding) => void;
}

export interface ReadHooks {
  readonly active: readonly CataloguedHook[];
  readonly findings: readonly Finding[];
  readonly unread: ReadonlySet<HookScope>;
}

export type HookSetMode = "sync" | "background" | "all";

/** The hooks in files that count in a session: the user's, and those of every folder's project, each once. */
export class HookSet {
  readonly hooks: Hooks;
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
