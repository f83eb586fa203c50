import { CLASSES, UNKNOWN } from "../values.ts";
import { readTree, readTrees } from "./archives.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that copy files to another host, or from there. */
export const TRANSFERS: Programs = {
  rsync: {
    values:
      "e=code rsh=code f filter T temp-dir B block-size M remote-option rsync-path exclude exclude-from include include-from " +
      "files-from=read password-file=read log-file=write log-file-format out-format bwlimit max-size min-size timeout contimeout " +
      "port compare-dest copy-dest link-dest partial-dir backup-dir suffix modify-window chmod chown usermap groupmap iconv info " +
      "debug compress-choice checksum-choice compress-level skip-compress max-delete max-alloc address sockopts stop-after " +
      "stop-at write-batch only-write-batch read-batch outbuf protocol",
    switches:
      "delete delete-before delete-during delete-delay delete-after delete-excluded remove-source-files no-recursive compress partial",
    harmless: "n dry-run list-only",
    run: synchronize,
  },
  scp: {
    values: "c D F i J l o P S=code X",
    run: (call) => transfer(call, call.operands.slice(0, -1), call.operands.at(-1) ?? ""),
  },
  "sftp ftp lftp ncftp ncftpput tftp smbclient": {
    values: "b f e c u p P i o F l U D J R S=code s T k q N A",
    run: runTransferCommands,
  },
  rclone: {
    values:
      "config max-age min-age max-size min-size include exclude filter filter-from include-from exclude-from transfers checkers " +
      "bwlimit log-file log-level backup-dir max-delete",
    harmless: "n dry-run",
    run: runRclone,
  },
};

/** The host of `user@host:path` and `rsync://host/path`; `C:/` is a drive of Windows. */
function hostOf(path: string): string | undefined {
  const [, address] = /^(?:rsync|scp|sftp|ssh):\/\/(?:[^@/]*@)?([^/:]+)/.exec(path) ?? [];
  if (address !== undefined) return address;
  const [, host] = /^(?:[^@/:]+@)?(\[[^\]]+\]|[^/:]+):/.exec(path) ?? [];
  return /^[A-Za-z]:[/\\]/.test(path) ? undefined : host;
}

/** Where a file lands: below a folder, it keeps its name. */
export function landingOf(from: string, to: string): string {
  const isFolder = /\/$|^\/(?:var\/)?tmp$/.test(to);
  return isFolder ? `${to}/${/[^/:]*$/.exec(from.replace(/\/+$/, ""))?.[0] || UNKNOWN}` : to;
}

function transfer(call: Call, sources: readonly string[], destination: string): void {
  const local = sources.filter((source) => hostOf(source) === undefined);
  const isFlat =
    call.name === "rsync" ? call.has("no-recursive no-r") : call.name === "scp" && !call.has("r");
  const read = isFlat ? local.map((path) => call.read(path)).join("") : readTrees(call, local);
  const content = read + (local.length < sources.length ? CLASSES.remote : "");
  const host = hostOf(destination);
  if (host !== undefined) call.send(content, host);
  else if (destination !== "") call.write(landingOf(sources[0] ?? "", destination), content);
}

function synchronize(call: Call): void {
  const sources = call.operands.slice(0, -1);
  const destination = call.operands.at(-1) ?? "";
  transfer(call, sources, destination);
  const deletes =
    "delete del delete-before delete-during delete-delay delete-after delete-excluded delete-missing-args";
  if (call.has(deletes) && hostOf(destination) === undefined) call.effect("delete.recursive", destination);
  const local = sources.filter((source) => hostOf(source) === undefined);
  if (call.has("remove-source-files") && local.length > 0) call.effect("delete.recursive", ...local);
}

/** Their own commands, in options, in a file, or as their input: `put` sends a file, `!` starts a shell. */
function runTransferCommands(call: Call): void {
  const scripts = call.values("b f").map((path) => call.contentOf(path));
  const text = [...call.values("e c"), ...scripts, call.input, call.operands.slice(1).join(" ")].join("\n");
  const host = (call.operands[0] ?? UNKNOWN).replace(/:.*$/s, "");
  const sent = text.matchAll(
    /(?:^|[\n;\s])(m?put|send|append|mirror\s+(?:-R|--reverse))\s+(?:-\S+\s+)*([^\s;]+)/g,
  );
  for (const [, command, path = ""] of sent)
    call.send(command === "put" ? call.read(path) : readTree(call, path), host);
  for (const [, command = ""] of text.matchAll(/(?:^|[\n;])[ \t]*!(.+)/g)) call.startText(command);
  call.print(CLASSES.remote);
}

function runRclone(call: Call): void {
  const [command = "", from = "", to = ""] = call.operands;
  const isRemote = hostOf(from) !== undefined;
  if (/^(?:copy|copyto|sync|move|moveto|bisync)$/.test(command)) {
    transfer(call, [from], to);
    if (command === "sync" && hostOf(to) === undefined) call.effect("delete.recursive", to);
    if (command.startsWith("move") && !isRemote) call.effect("move", from);
  } else if (/^(?:delete|deletefile|purge|rmdirs?|cleanup)$/.test(command)) {
    if (isRemote) call.effectOn("destroy_remote", from);
    else call.effect("delete.recursive", from);
  } else if (command === "cat") call.print(isRemote ? CLASSES.remote : call.read(from));
  else if (command === "rcat") call.send(call.input, hostOf(from));
  else if (command === "config" && /^(?:show|dump|file)$/.test(from)) call.effect("read.store");
}
