import { CLASSES, carries, isKnown, UNKNOWN, unknownParts } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that pack files, and unpack them. To unpack deletes nothing. */
export const ARCHIVES: Programs = {
  "tar gtar bsdtar": {
    style: "bundle",
    values:
      "f file C directory T files-from X exclude-from b blocking-factor g listed-incremental F=code info-script=code " +
      "new-volume-script=code H format I=code use-compress-program=code K starting-file L tape-length N newer V label " +
      "exclude transform xform strip-components owner group mode mtime to-command checkpoint-action rsh-command=code " +
      "rmt-command=code index-file quoting-style sort warning volno-file after-date newer-mtime exclude-tag",
    switches:
      "create extract get list append update remove-files no-recursion to-stdout checkpoint force-local absolute-names file",
    run: tar,
  },
  zip: {
    values: "b x i t tt n P O s TT=code unzip-command=code exclude include",
    switches: "move delete names-stdin",
    run: zip,
  },
  "unzip unar": { values: "d x P O I", harmless: "l t v Z", run: unzip },
  "7z 7za 7zr 7zz rar unrar p7zip": { values: "o? p? x? i? m? t? s? v? w? r? a? b?", run: packBySubcommand },
  "gzip gunzip zcat pigz unpigz bzip2 bunzip2 bzcat pbzip2 xz unxz xzcat lzma unlzma zstd unzstd zstdcat lz4 unlz4 lz4cat brotli compress uncompress":
    {
      values: "S suffix T? o output D B? b? M memory F format threads",
      switches: "decompress uncompress stdout to-stdout keep recursive",
      harmless: "l list t test",
      run: compress,
    },
  cpio: {
    values: "F file O I H format D directory E pattern-file C R owner M rsh-command=code",
    switches: "create extract pass-through list to-stdout",
    run: cpio,
  },
};

/** Folders whose content is made to be given away. */
const BUILT =
  /^(?:\.\/)?(?:dist|build|out|public|site|_site|static|assets|docs?|coverage|target|release)(?:\/|$)/;
/** By its ending it is a file. */
const FILE = /[^./]\.[a-zA-Z]\w*$/;

/** Reads a file, or a folder with all that is in it, and returns what that has. */
export function readTree(call: Call, path: string): string {
  const content = call.read(path);
  if (path === "-" || FILE.test(path)) return content;
  const anyInside = `${path.replace(/\/+$/, "")}/${UNKNOWN}`;
  const inside = call.contentOf(anyInside);
  const secret = carries(inside, "secret") ? call.read(anyInside) : "";
  return content + secret + (BUILT.test(path) ? "" : CLASSES.folder);
}

/** The same for each of many, which may be named more than once. */
export function readTrees(call: Call, paths: readonly string[]): string {
  return [...new Set(paths)].map((path) => readTree(call, path)).join("");
}

/** To a file, or to the output. */
function writeTo(call: Call, path: string, content: string): void {
  if (path === "-" || path === "/dev/stdout") call.print(content);
  else call.write(path, content);
}

/** What lands somewhere below a folder. */
export function unpackTo(call: Call, folder: string): void {
  call.effect("write", /^\/+(?:(?:var\/)?tmp\/*)?$/.test(folder) ? `${folder}/${UNKNOWN}` : folder);
}

function inFolder(folder: string | undefined, path: string): string {
  return folder === undefined || path.startsWith("/") ? path : `${folder}/${path}`;
}

function linesOf(text: string): readonly string[] {
  return text.split(/[\n\0]/).filter((line) => line !== "");
}

function tar(call: Call): void {
  const more = call.variable("TAR_OPTIONS")?.trim() ?? "";
  if (more !== "") {
    const isBundle = /^[A-Za-z]/.test(call.words[0] ?? "");
    const options = isKnown(more) ? more.split(/\s+/) : [`-${UNKNOWN}`];
    const words = [call.name, ...(isBundle ? [...call.words, ...options] : [...options, ...call.words])];
    call.print(call.start(words, { variables: [["TAR_OPTIONS", ""]] }));
    return;
  }
  for (const action of call.values("checkpoint-action"))
    if (action.startsWith("exec=")) call.startText(action.slice(5));
  const archive = call.value("f file") ?? "-";
  const folder = call.value("C directory");
  if (call.has("c create r append u update A")) packWithTar(call, archive, folder);
  else if (call.has("x extract get")) {
    const content = CLASSES.folder + call.read(archive);
    const command = call.value("to-command");
    if (command !== undefined) call.print(call.startText(command, { input: content }));
    else if (call.has("O to-stdout")) call.print(content);
    else unpackTo(call, folder ?? ".");
  } else if (archive !== "-") call.read(archive);
}

function packWithTar(call: Call, archive: string, folder: string | undefined): void {
  const listed = call.values("T files-from").flatMap((list) => linesOf(call.read(list)));
  const paths = [...call.operands, ...listed].map((path) => inFolder(folder, path));
  const content = call.has("no-recursion")
    ? paths.map((path) => call.read(path)).join("")
    : readTrees(call, paths);
  const [, host] = call.has("force-local") ? [] : (/^([^/:]+):/.exec(archive) ?? []);
  if (host !== undefined) call.send(content, host);
  else writeTo(call, archive, content);
  if (call.has("remove-files")) call.effect("delete.recursive", ...paths);
}

function zip(call: Call): void {
  const [archive, ...named] = call.operands;
  const paths = call.has("@ names-stdin") ? [...named, ...linesOf(call.input)] : named;
  if (archive === undefined) return;
  const content = call.has("d delete") ? "" : readTrees(call, paths);
  writeTo(call, archive, content);
  if (call.has("m move") && paths.length > 0) call.effect("delete.recursive", ...paths);
}

function unzip(call: Call): void {
  const [archive] = call.operands;
  if (archive === undefined) return;
  const content = call.read(archive);
  if (call.has("p c")) call.print(content);
  else unpackTo(call, call.value("d") ?? ".");
}

/** `7z a archive files`, `7z x archive -ofolder`. */
function packBySubcommand(call: Call): void {
  const [command = "", archive, ...paths] = call.operands;
  const modes = call.values("s");
  if (archive === undefined) return;
  if (/^[aum]$/.test(command)) {
    const input = modes.some((mode) => mode.startsWith("i")) ? call.input : "";
    const content = readTrees(call, paths) + input;
    writeTo(call, modes.includes("o") ? "-" : archive, content);
    if (modes.includes("del") || command === "m") call.effect("delete.recursive", ...paths);
  } else if (/^[xe]$/.test(command)) {
    const content = call.read(archive);
    if (modes.includes("o")) call.print(content);
    else unpackTo(call, call.value("o") ?? paths.find((path) => path.endsWith("/")) ?? ".");
  } else if (command === "d") call.write(archive, UNKNOWN);
}

const KEEPS = /^(?:zstd|unzstd|lz4|unlz4|brotli)$/;

/** A file becomes another one, and is removed. */
function compress(call: Call): void {
  const isDecoding = /^(?:un|gun|bun)|cat$/.test(call.name) || call.has("d decompress uncompress");
  const isPrinted = call.operands.length === 0 || /cat$/.test(call.name) || call.has("c stdout to-stdout");
  const decode = (content: string) =>
    isDecoding ? CLASSES.decoded + unknownParts(content) : UNKNOWN + unknownParts(content);
  if (call.operands.length === 0) call.print(decode(call.input));
  for (const path of call.operands) {
    const content = decode(call.read(path));
    if (isPrinted) call.print(content);
    else
      call.write(call.value("o output") ?? (isDecoding ? path.replace(/\.\w+$/, "") : `${path}.gz`), content);
    if (!isPrinted && !KEEPS.test(call.name) && !call.has("k keep"))
      call.effect(call.has("r recursive") ? "delete.recursive" : "delete", path);
  }
}

/** The names of the files are its input. */
function cpio(call: Call): void {
  const archive = call.value("F file O I") ?? "-";
  const isPassing = call.has("p pass-through");
  if (call.has("o create") || isPassing) {
    const content = readTrees(call, linesOf(call.input));
    if (isPassing) call.write(call.operands[0] ?? ".", content);
    else writeTo(call, archive, content);
  } else if (call.has("i extract") && !call.has("t list")) {
    const content = call.read(archive);
    if (call.has("to-stdout")) call.print(content);
    else unpackTo(call, call.value("D directory") ?? ".");
  }
}
