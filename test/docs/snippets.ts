import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** A block of code on a page. */
export interface Snippet {
  readonly page: string;
  /** The line of the page where the code begins. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
}

/** Every page that people read: the READMEs and `docs/`. */
export function pages(): readonly string[] {
  const docs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map(
    (name) => `docs/${name}`,
  );
  const packages = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/README.md`);
  return [
    "README.md",
    "ARCHITECTURE.md",
    "CONTRIBUTING.md",
    "examples/README.md",
    ...docs,
    ...packages,
  ].filter((name) => name.endsWith(".md") && existsSync(join(ROOT, name)));
}

/** The blocks of code on a page, in order. */
export function snippetsOf(page: string): readonly Snippet[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(({ index, 1: language = "", 2: code = "" }) => ({
    page,
    line: text.slice(0, index).split("\n").length + 1,
    language,
    code,
  }));
}

/** Writes snippets as modules of one project, in a folder where the packages of the repository can be imported. */
export function writeProject(snippets: readonly Snippet[], prelude: string): string {
  const folder = join(ROOT, "node_modules", ".cache", `snippets-${process.pid}`);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "prelude.d.ts"), prelude);
  for (const snippet of snippets) {
    const { page, line, code } = snippet;
    const name = `${page.replaceAll(/[^A-Za-z0-9]+/g, "-")}-${line}.ts`;
    const before = snippets.filter((other) => other.page === page && other.line < line);
    // On one line, and as many empty ones as the page has before it, so that errors name the page's own lines.
    const imports = importedBefore(before, code).join(" ");
    writeFileSync(join(folder, name), `${imports}${"\n".repeat(line - 1)}${code}\nexport {};\n`);
  }
  const base = relative(folder, join(ROOT, "tsconfig.base.json"));
  const compilerOptions = {
    noEmit: true,
    composite: false,
    declaration: false,
    declarationMap: false,
    sourceMap: false,
    // What a snippet only shows is not used.
    noUnusedLocals: false,
    noUnusedParameters: false,
    types: ["node"],
    allowImportingTsExtensions: true,
    rewriteRelativeImportExtensions: false,
  };
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: base, compilerOptions, include: ["*.ts"] }),
  );
  return folder;
}

const IMPORT = /^import \{([^}]*)\} from "([^"]+)";$/gm;

/** What earlier snippets of the page have imported, and this one has not: a page is read from its top. */
function importedBefore(before: readonly Snippet[], code: string): readonly string[] {
  const own = new Set(importsIn(code).map(({ name }) => name));
  const found = new Map(
    before.flatMap((snippet) => importsIn(snippet.code)).map((each) => [each.name, each]),
  );
  return [...found.values()]
    .filter(({ name }) => !own.has(name))
    .map(({ name, from }) => `import { ${name} } from "${from}";`);
}

function importsIn(code: string): readonly { readonly name: string; readonly from: string }[] {
  return [...code.matchAll(IMPORT)].flatMap(([, names = "", from = ""]) =>
    names
      .split(",")
      .map((name) => name.trim())
      .filter(Boolean)
      .map((name) => ({ name, from })),
  );
}
