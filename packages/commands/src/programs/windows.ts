import { CLASSES, UNKNOWN } from "../values.ts";
import type { Call, Programs, Row } from "./row.ts";

const NOTHING: Row = { prints: "unknown" };
const PATHS = "path literalpath destination value filter include exclude stream encoding erroraction";
const STOP_ON = "whatif ?";

/**
 * What PowerShell and `cmd` have of their own, and call by names that other shells have, too. Their options are written here as long ones, in small
 * letters: `-Recurse` and `/s` are `recurse` and `s`.
 */
export const WINDOWS: Programs = {
  "remove-item ri rm rmdir rd del erase": {
    values: "path=delete literalpath=delete filter include exclude stream erroraction",
    switches: "recurse force",
    harmless: STOP_ON,
    operands: "delete*",
    run: removeInput,
    when: {
      "recurse s": {
        values:
          "path=delete.recursive literalpath=delete.recursive filter include exclude stream erroraction",
        operands: "delete.recursive*",
      },
    },
  },
  "clear-content clc clear-item cli": { values: "path=write", harmless: STOP_ON, operands: "write*" },
  "set-content sc add-content ac out-file tee-object tee new-item ni": {
    values: "path=write literalpath=write filepath=write value name itemtype encoding inputobject",
    switches: "force append",
    harmless: STOP_ON,
    operands: "write",
  },
  "get-content gc cat type more": {
    values: "path=read literalpath=read totalcount head tail readcount encoding delimiter",
    operands: "read*",
    prints: "content",
  },
  "copy-item copy cp cpi xcopy robocopy": {
    values: PATHS,
    switches: "recurse",
    harmless: STOP_ON,
    operands: "read write",
  },
  "move-item move mv mi rename-item ren rni": { values: PATHS, harmless: STOP_ON, operands: "move write" },
  "format format-volume clear-disk initialize-disk remove-partition set-disk cipher": {
    values: "driveletter=device number disknumber partitionstyle filesystem newfilesystemlabel",
    harmless: STOP_ON,
    effects: "device.volume",
    operands: "name*",
  },
  "stop-computer restart-computer shutdown": { harmless: `${STOP_ON} a`, effects: "power" },
  "stop-process spps kill tskill taskkill": {
    values: "id name im pid",
    harmless: STOP_ON,
    effects: "process",
  },
  "stop-service start-service restart-service set-service new-service net": {
    effects: "service",
    operands: "name*",
  },
  "set-executionpolicy icacls takeown attrib": { harmless: STOP_ON, effects: "permissions" },
  "invoke-webrequest invoke-restmethod iwr irm curl wget start-bitstransfer certutil bitsadmin": {
    values: "uri outfile=write method body infile=send headers usebasicparsing destination=write source",
    prints: "remote",
  },
  "invoke-expression iex": {
    values: "command=code",
    operands: "code*",
    run: (call) => call.print(call.startText(call.input)),
  },
  "get-childitem gci dir ls": { run: (call) => call.print(`${call.operands[0] ?? "."}/${UNKNOWN}`) },
  "get-clipboard gcb": { run: (call) => call.print(CLASSES.environment) },
  ["write-host write-output echo write-error write-warning get-location pwd gl test-path get-item gi select-string findstr sls select-object select where-object " +
    "where sort-object sort measure-object measure format-table ft format-list fl get-command gcm get-help help get-process ps gps get-service get-date " +
    "out-null out-string out-host convertfrom-json convertto-json split-path join-path resolve-path start-sleep sleep timeout cls clear-host ver title rem " +
    "exit get-executionpolicy whoami hostname tree fc set-strictmode import-module get-module get-member gm push-location pop-location setlocal endlocal"]:
    NOTHING,
};

/** `Get-ChildItem | Remove-Item`: the paths are its input. */
function removeInput(call: Call): void {
  const isNamed = call.operands.length > 0 || call.values("path literalpath").length > 0;
  const paths = call.input.split("\n").filter((path) => path !== "");
  if (!isNamed && paths.length > 0)
    call.effect(call.has("recurse s") ? "delete.recursive" : "delete", ...paths);
}
