// The page takes most of the time of a build in which nothing has changed. A file beside it tells from which files it was built.
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = "packages/dashboard";
const PAGE = `${FOLDER}/dist/page`;
const STAMP = `${FOLDER}/dist/page-stamp.json`;
/** Beside the files of the dashboard itself: the packages that it bundles, and what is installed. */
const OTHERS = [
  ...["internal", "protocol", "client"].flatMap((name) => [
    `packages/${name}/dist`,
    `packages/${name}/package.json`,
  ]),
  "node_modules/.package-lock.json",
];

/** Whether the page is what a build would write now, and how to record that it was built from the files as they are now. */
export function readPage(root) {
  const inputs = hashInputs(root);
  return {
    isBuilt: isBuilt(root, inputs),
    stamp: () => {
      const stamp = JSON.stringify({ inputs, outputs: hash(root, [PAGE]) });
      writeFileSync(join(root, STAMP), `${stamp}\n`);
    },
  };
}

function isBuilt(root, inputs) {
  try {
    const stamp = JSON.parse(readFileSync(join(root, STAMP), "utf8"));
    return stamp.inputs === inputs && stamp.outputs === hash(root, [PAGE]);
  } catch {
    // It was never built, or not to the end.
    return false;
  }
}

function hashInputs(root) {
  const own = readdirSync(join(root, FOLDER)).filter((name) => name !== "dist" && name !== "node_modules");
  // Bundlers build for the environment that this variable names.
  return hash(root, [...own.map((name) => `${FOLDER}/${name}`), ...OTHERS], process.env.NODE_ENV ?? "");
}

/** A hash of the names and the content of all files at these paths, of which some may be missing. */
function hash(root, paths, start = "") {
  const sum = createHash("sha256").update(start);
  const add = (path) => {
    if (statSync(join(root, path)).isDirectory()) {
      for (const name of readdirSync(join(root, path)).sort()) add(`${path}/${name}`);
      return;
    }
    const content = readFileSync(join(root, path));
    sum.update(`\n${path} ${content.length}\n`).update(content);
  };
  for (const path of paths.filter((path) => existsSync(join(root, path))).sort()) add(path);
  return sum.digest("hex");
}
