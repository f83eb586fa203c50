import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ROOT } from "./snippets.ts";

const IMPORTS = `import { createHooks, proceed, toolName } from "@tenterhook/engine";
const hooks = createHooks();
`;

/** What the compiler prints for each line of code, in order; a project of them all, because to start it takes seconds. */
function compile(lines: readonly string[]): readonly string[] {
  const folder = join(ROOT, "node_modules", ".cache", `type-errors-${process.pid}`);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(folder, { recursive: true });
  for (const [index, line] of lines.entries())
    writeFileSync(
      join(folder, `line-${index}.ts`),
      `${IMPORTS}${line}\nexport { hooks, proceed, toolName };\n`,
    );
  const compilerOptions = { noEmit: true, composite: false, declaration: false, declarationMap: false };
  const extended = relative(folder, join(ROOT, "tsconfig.base.json"));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: extended, compilerOptions, include: ["*.ts"] }),
  );
  let printed = "";
  try {
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    execFileSync(process.execPath, [tsc, "-p", folder, "--pretty", "false"], {
      cwd: folder,
      encoding: "utf8",
    });
  } catch (error) {
    printed = (error as { stdout: string }).stdout;
  }
  return lines.map((_, index) => {
    const start = new RegExp(`^line-${index}\\.ts.*?: error TS\\d+: `, "ms");
    const [, text = ""] = printed.split(start);
    return text.split(/^line-\d+\.ts/m)[0]?.trim() ?? "";
  });
}

test("a wrong patch and a tool matcher without a tool give errors of one line, which name what is wrong", () => {
  const messages = compile([
    'hooks.on("before_tool", () => proceed({ messages: [] }));',
    'hooks.on("before_tool", async () => proceed({ text: "Hi" }, { context: "Hello" }));',
    'hooks.on("before_llm", () => proceed({ model: 5 }));',
    'hooks.on("before_tool", () => proceed({ toolInput: 5 }, { context: "Hello" }));',
    'hooks.on("before_llm", () => proceed({ messages: "Hi" }));',
    'hooks.on("before_llm", () => proceed({ messages: [{ role: "human", content: "Hi" }] }));',
    'hooks.use("before_llm", (_ctx, next) => next({ model: 5 }));',
    'hooks.on("before_tool", () => proceed({ nothing: 1 }));',
    'hooks.use("before_tool", (_ctx, next) => next({ text: "Hi" }));',
    'hooks.on("before_step", () => undefined, { matcher: "Shell" });',
    'hooks.on("before_tool", () => undefined, { matcher: toolName("Shell") });',
  ]);
  expect(messages).toEqual([
    `Type 'never[]' is not assignable to type '"messages cannot be changed here"'.`,
    `Type '"Hi"' is not assignable to type '"text cannot be changed here"'.`,
    `Type 'number' is not assignable to type 'string | PatchField<"model"> | undefined'.`,
    `Type 'number' is not assignable to type 'PatchField<"toolInput"> | { readonly [x: string]: unknown; } | undefined'.`,
    expect.stringMatching(/^Type 'string' is not assignable to type 'PatchField<"messages"> \| .*$/),
    // Inside of a field, the compiler marks the place, and lists what is allowed there.
    `Type '"human"' is not assignable to type '"assistant" | "system" | "tool" | "user"'.`,
    `Type 'number' is not assignable to type 'string | PatchField<"model"> | undefined'.`,
    expect.stringMatching(
      /^Object literal may only specify known properties, and 'nothing' does not exist in .*$/,
    ),
    `Type '"Hi"' is not assignable to type '"text cannot be changed here"'.`,
    "Type 'string' is not assignable to type 'MatcherWithoutTool | undefined'.",
    "",
  ]);
});
