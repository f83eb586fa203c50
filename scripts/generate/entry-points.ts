import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { isExportDeclaration, isExportSpecifier } from "typescript/unstable/ast/is";
import { API, type Symbol as CompilerSymbol, type Project, SymbolFlags } from "typescript/unstable/sync";

/** Entry points for users, and what each is for. All others are for Tenterhook's own packages, and may change in any version. */
export const PUBLIC: Readonly<Record<string, string>> = {
  "@tenterhook/adapters": "what hooks can do inside which framework",
  "@tenterhook/adapters/ai-sdk": "hooks inside agents of the AI SDK",
  "@tenterhook/adapters/claude-agent-sdk": "hooks inside queries of the Claude Agent SDK",
  "@tenterhook/adapters/langchain": "hooks inside agents and graphs of LangChain",
  "@tenterhook/adapters/mastra": "hooks inside agents of Mastra",
  "@tenterhook/adapters/openai-agents": "hooks inside runs of OpenAI Agents",
  "@tenterhook/adapters/strands": "hooks inside agents of Strands",
  "@tenterhook/agent": "agents, their tools, models and sessions, and what their hooks answer",
  "@tenterhook/agent/builder": "agents that are built with chained calls",
  "@tenterhook/agent/center": "agents from JSON files, with hooks by name",
  "@tenterhook/agent/opentelemetry": "spans of an agent's work",
  "@tenterhook/agent/testing": "models and servers that answer from a script",
  "@tenterhook/client": "the API of the coordinator, from Node and from browsers",
  "@tenterhook/coordinator": "a coordinator inside of a program",
  "@tenterhook/engine": "hooks in code: events, matchers, outcomes, dispatches",
  "@tenterhook/engine/built-in": "hooks to use as they are",
  "@tenterhook/engine/config": "hooks as a configuration object",
  "@tenterhook/engine/host": "for programs that run agents and dispatch events",
  "@tenterhook/engine/named": "hooks before and after a run, by name",
  "@tenterhook/engine/opentelemetry": "spans of dispatches and hooks",
  "@tenterhook/engine/stack": "middleware around a function, without the engine",
  "@tenterhook/file-hooks": "hooks from HOOK.md folders",
  "@tenterhook/protocol": "the contract: events, outcomes, actions, error codes",
  "@tenterhook/rules": "ready-made rules, and what they say about a command",
  "@tenterhook/runner": "a runner inside of a program",
};

/** A name that an entry point exports. */
export interface ExportedName {
  readonly name: string;
  readonly isType: boolean;
  /** Its doc comment; empty without one. */
  readonly comment: string;
  /** The file and the name of its declaration: equal for what is exported again. */
  readonly declared: string;
}

/** What can be imported from a published package by one path. */
export interface EntryPoint {
  readonly path: string;
  readonly isPublic: boolean;
  readonly names: readonly ExportedName[];
}

/** The entry points of all published packages, as the TypeScript compiler sees them. */
export function entryPoints(root: string): readonly EntryPoint[] {
  const api = new API({ cwd: root });
  try {
    return readdirSync(join(root, "packages")).flatMap((folder) => packageEntryPoints(api, root, folder));
  } finally {
    api.close();
  }
}

function packageEntryPoints(api: API, root: string, folder: string): readonly EntryPoint[] {
  const path = join(root, "packages", folder);
  const manifest = JSON.parse(readFileSync(join(path, "package.json"), "utf8")) as {
    name: string;
    private?: boolean;
    exports?: Record<string, { types?: string }>;
  };
  if (manifest.private === true) return [];
  const config = join(path, "tsconfig.json");
  const snapshot = api.updateSnapshot({ openProjects: [config] });
  const project = snapshot.getProject(config);
  if (project === undefined) throw new Error(`${config} is not a project`);
  const found = Object.entries(manifest.exports ?? {}).map(([entry, { types }]) => {
    const name = `${manifest.name}${entry.slice(1)}`;
    const source = types?.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts");
    const names = source === undefined ? [] : exportedNames(project, root, join(path, source));
    return { path: name, isPublic: name in PUBLIC, names };
  });
  snapshot.dispose();
  return found;
}

function exportedNames(project: Project, root: string, file: string): readonly ExportedName[] {
  const { program, checker } = project;
  const source = program.getSourceFile(file);
  const module = source && checker.getSymbolAtLocation(source);
  if (module === undefined) return [];
  return checker
    .getExportsOfModule(module)
    .map((symbol) => {
      const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      return {
        name: symbol.name,
        isType: (target.flags & SymbolFlags.Value) === 0 || isTypeOnly(symbol),
        comment: checker.getDocumentationCommentOfSymbol(target).trim(),
        declared: declaration(root, target),
      };
    })
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** Classes are exported as types where users only receive their instances. */
function isTypeOnly(symbol: CompilerSymbol): boolean {
  const specifier = symbol.declarations[0]?.resolve();
  if (specifier === undefined || !isExportSpecifier(specifier)) return false;
  const statement = specifier.parent.parent;
  return specifier.isTypeOnly || (isExportDeclaration(statement) && statement.isTypeOnly);
}

/** By its source: what comes from another package is found in the declarations that are built from it. */
function declaration(root: string, symbol: CompilerSymbol): string {
  const path = relative(root, symbol.declarations[0]?.path ?? "");
  return `${path.replace("/dist/", "/src/").replace(/\.d\.ts$/, ".ts")} ${symbol.name}`;
}
