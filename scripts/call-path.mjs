// `npm run call:path` prints the files that a call really goes through, in order: a call of a coding agent, and a tool call of an agent
// (call-path/paths.mjs). `-- NAME` prints one of them. Then follow the product lines of the packages that run an agent with hooks.
//
// Every function of the packages on a path reports when it is called, and when it continues after an `await` (call-path/report-calls.mjs
// adds that while the modules are loaded). Other packages are not counted. A return is entering a folder again after another one. There are
// three ways to count, and a path has a limit for some of them:
//
// - by files: a file counts where one of its functions is called, or continues, first, because that is when a reader who follows the call
//   opens it.
// - by calls: a folder is entered whenever a function of another folder calls one of its functions. That this function returns to its caller
//   is not counted, and neither is a further call into the folder that was entered last.
// - on the way, for a path between two functions: the files of the functions that return from the one, and of those that call the other. What
//   they call beside that, a reader may skip.
import { register } from "node:module";
import { basename, dirname } from "node:path";
import { PATHS } from "./call-path/paths.mjs";
import { countProductLines } from "./call-path/product-lines.mjs";

const PACKAGES = new URL("../packages/", import.meta.url).href;

const TITLES = { byFiles: "By files", byCalls: "By calls", onTheWay: "On the way" };

/** What has been called, or has continued, since the path began. */
let steps = [];
/** The path that is being run. */
let current;

globalThis.reportCall = (file) => {
  if (isCounted(file)) steps.push({ file, caller: findCaller(), isCall: true });
};
globalThis.reportResumed = (file, value) => {
  if (isCounted(file)) steps.push({ file, isCall: false });
  return value;
};

const names = process.argv.slice(2).filter((argument) => !argument.startsWith("--"));
const paths = PATHS.filter(({ name }) => names.length === 0 || names.includes(name));
const packages = [...new Set(paths.flatMap((path) => path.packages))];
register("./call-path/report-calls.mjs", { parentURL: import.meta.url, data: { root: PACKAGES, packages } });

const measured = [];
for (const path of paths) measured.push(await measure(path));
const lines = countProductLines();
if (process.argv.includes("--json"))
  console.log(JSON.stringify({ measured: measured.map(summarize), lines }));
else console.log([...measured.flatMap(formatPath), ...formatLines(lines)].join("\n"));

/** Runs a path, and finds the visits of folders. */
async function measure(path) {
  current = path;
  steps = [];
  let from;
  let ended;
  const result = await path.run({
    begin: () => {
      if (from !== undefined) return;
      from = listCallers();
      steps = [];
    },
    end: () => {
      ended ??= { steps: [...steps], to: listCallers() };
    },
  });
  const all = ended?.steps ?? steps;
  const between = all.filter(({ file, caller, isCall }) => isCall && findFolder(caller) !== findFolder(file));
  const visits = {
    byFiles: findVisits(new Set(all.map(({ file }) => file))),
    byCalls: findVisits(between.map(({ file }) => file)),
    ...(ended !== undefined && { onTheWay: findVisits(findWay(from, ended.to)) }),
  };
  return { path, result, visits };
}

/** The files on the way from the one function up to the common caller, and down to the other. */
function findWay(from, to) {
  const isCommon = ({ id }, index) => from[index]?.id === id;
  const count = to.findIndex((caller, index) => !isCommon(caller, index));
  if (count < 1) throw new Error("the two functions of the path have no common caller.");
  return new Set([...from.slice(count).reverse(), ...to.slice(count - 1)].map(({ file }) => file));
}

function isCounted(file) {
  return current.packages.some((name) => file.startsWith(`${name}/`));
}

/** The file of the function that called the one that reports; `undefined` if it is in no package that counts. */
function findCaller() {
  return listCallers().at(-2)?.file;
}

/** The functions that wait for the one that is running, the outermost first, also those that await it. */
function listCallers() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) =>
    sites.map((site) => ({ address: site.getFileName() ?? "", name: site.getFunctionName() ?? "" }));
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  return stack
    .filter(({ address }) => address.startsWith(PACKAGES))
    .map(({ address, name }) => ({ file: address.slice(PACKAGES.length), name }))
    .filter(({ file }) => isCounted(file))
    .map(({ file, name }) => ({ file, id: `${file} ${name}` }))
    .reverse();
}

/** `bridges/dist/call/read/read-call.js` is in `bridges/call/read`. */
function findFolder(file) {
  return file === undefined ? undefined : dirname(file).replace("/dist", "");
}

/** Files that follow each other in one folder are one visit of it. */
function findVisits(files) {
  const visits = [];
  for (const file of files) {
    const folder = findFolder(file);
    const last = visits.at(-1);
    if (last?.folder === folder) last.files.add(basename(file));
    else visits.push({ folder, files: new Set([basename(file)]) });
  }
  return visits;
}

function countVisits(visits) {
  const entered = visits.map(({ folder }) => folder);
  const folders = new Set(entered).size;
  const files = new Set(visits.flatMap((visit) => [...visit.files].map((file) => `${visit.folder}/${file}`)))
    .size;
  return { files, folders, returns: visits.length - folders, entered };
}

function summarize({ path, result, visits }) {
  const { name, limit } = path;
  const counted = Object.entries(visits).map(([way, found]) => [way, countVisits(found)]);
  return { name, limit, result, counted: Object.fromEntries(counted) };
}

function formatPath({ path, visits }) {
  const sections = Object.entries(visits).flatMap(([way, found]) => {
    const limit = Object.entries(path.limit[way] ?? {}).map(([what, count]) => `${count} ${what}`);
    const title = limit.length === 0 ? TITLES[way] : `${TITLES[way]}, at most ${limit.join(" and ")}`;
    return [`${title}:`, ...formatVisits(found)];
  });
  return [`${path.title}`, ...sections, ""];
}

function formatVisits(visits) {
  const lines = visits.map(({ folder, files }, index) => {
    const isReturn = visits.slice(0, index).some((visit) => visit.folder === folder);
    return `  ${isReturn ? "back to " : ""}${folder}: ${[...files].join(", ")}`;
  });
  const { files, folders, returns } = countVisits(visits);
  return [...lines, `  ${files} files, ${folders} folders, ${returns} returns`];
}

function formatLines(lines) {
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  return ["Product lines:", ...lines.map(({ name, count }) => `  ${name}: ${count}`), `  together: ${total}`];
}
