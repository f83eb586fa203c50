import { CLASSES, UNKNOWN, unknownParts } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that read text and print it, whole or in part. */
export const TEXT: Programs = {
  "cat tac bat batcat nl pv zless strings od hexdump xxd hd rev view column fold fmt expand unexpand": {
    values: "n N s w l language style theme c t A j o skip length address-radix format read-bytes width",
    operands: "read*",
    prints: "content",
    when: { "r revert": { prints: "decoded" } },
  },
  "less more most": {
    values: "p pattern P prompt o=write O=write x tabs j y z",
    operands: "read*",
    prints: "content",
  },
  "head tail": { values: "n lines c bytes s sleep-interval pid", operands: "read*", prints: "content" },
  "grep egrep fgrep rg ag ack zgrep ripgrep": {
    values:
      "e regexp f=read file=read m max-count A after-context B before-context C context d directories D devices include exclude exclude-dir g glob t type T type-not max-depth color",
    operands: "- read*",
    prints: "content",
    run: markFolders,
    when: {
      "e regexp f file": { operands: "read*" },
      "q quiet silent l files-with-matches c count files": { operands: "-*", prints: "unknown" },
    },
  },
  "sed gsed": {
    values: "e expression f=read file=read l line-length i? in-place?",
    operands: "- read*",
    prints: "content",
    when: { "e expression f file": { operands: "read*" } },
    run: editInPlace,
  },
  "cut paste join sort uniq comm tsort shuf split csplit": {
    values:
      "d delimiter f fields c characters b bytes k key t field-separator o=write output=write S buffer-size T n lines a",
    operands: "read*",
    prints: "content",
  },
  tr: { operands: "-*", reads: "input", run: (call) => call.print(UNKNOWN + unknownParts(call.input)) },
  "base64 base32 basenc": {
    values: "w wrap i=read",
    operands: "read*",
    when: { "d decode D": { prints: "decoded" } },
    prints: "unknown",
  },
  "ls dir": {
    values: "I w T block-size",
    run: (call) => call.print([...call.operands, `./${UNKNOWN}`].join("\n")),
  },
  "wc file stat exa eza tree du df test [ basename dirname realpath readlink md5sum sha1sum sha256sum sha512sum cksum sum cmp":
    {
      operands: "-*",
    },
  "diff sdiff colordiff": { operands: "read*", prints: "content" },
  date: { values: "d date f=read file=read s set r reference", prints: "unknown" },
  "true false : sleep wait pwd id whoami uname hostname uptime which type man whatis apropos help": {
    operands: "-*",
  },
};

/** What is found in a whole folder may be anything in it. */
function markFolders(call: Call): void {
  if (call.has("r R recursive dereference-recursive") || /^(?:rg|ag|ack|ripgrep)$/.test(call.name))
    call.print(CLASSES.folder);
}

function editInPlace(call: Call): void {
  if (!call.has("i in-place")) return;
  for (const operand of call.operands.slice(call.has("e expression f file") ? 0 : 1))
    call.write(operand, UNKNOWN);
}
