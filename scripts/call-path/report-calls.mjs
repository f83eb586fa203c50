// Hooks of Node's module loader: every function of some packages begins with a call of `reportCall`, and continues after an `await` with one
// of `reportResumed`, with the path of its file below `packages`.
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { parseAst } from "vitest/node";

/** The address of the folder of all packages, and the names of those that report. */
let root = "";
let packages = [];

export function initialize(data) {
  ({ root, packages } = data);
}

export async function load(url, context, next) {
  if (!packages.some((name) => url.startsWith(`${root}${name}/dist/`))) return next(url, context);
  const source = reportingCalls(await readFile(fileURLToPath(url), "utf8"), url.slice(root.length));
  return { format: "module", source, shortCircuit: true };
}

function reportingCalls(source, path) {
  const file = JSON.stringify(path);
  const report = `reportCall(${file})`;
  const insertions = [];
  visit(parseAst(source), (node) => {
    if (node.type === "AwaitExpression")
      insertions.push([node.start, `reportResumed(${file}, `], [node.end, ")"]);
    if (
      node.type !== "FunctionDeclaration" &&
      node.type !== "FunctionExpression" &&
      node.type !== "ArrowFunctionExpression"
    )
      return;
    const { body } = node;
    if (body.type === "BlockStatement") insertions.push([body.start + 1, `${report};`]);
    else insertions.push([body.start, `(${report}, `], [body.end, ")"]);
  });
  // From the end, so that earlier positions stay valid; at one position the inner function comes later in the list.
  let text = source;
  for (const [position, inserted] of insertions.sort(([one], [other]) => other - one))
    text = text.slice(0, position) + inserted + text.slice(position);
  return text;
}

function visit(node, enter) {
  if (typeof node.type === "string") enter(node);
  for (const part of Object.values(node))
    if (Array.isArray(part))
      for (const item of part) item !== null && typeof item === "object" && visit(item, enter);
    else if (part !== null && typeof part === "object") visit(part, enter);
}
