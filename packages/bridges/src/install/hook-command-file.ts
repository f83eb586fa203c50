import { type FallbackAnswer, GONE } from "./fallback-answers.ts";
import { type HookScript, homeOptions, UNSET } from "./hook-script.ts";

/**
 * What clients start on Windows: the same as `hookScript`, with the differences that a guard of any project counts when the bridge is gone,
 * and that the bridge is a process of its own. It was never run: no machine with Windows was at hand.
 */
export function hookCommandFile({ pins, answers, guards }: Omit<HookScript, "hasPrivilegedMode">): string {
  const options = homeOptions(pins, quoted);
  return [
    "@echo off",
    "rem Written by tenterhook install: coding agents start this as their hook. To remove it: npx tenterhook uninstall",
    "setlocal DisableDelayedExpansion",
    ...UNSET.filter((name) => !/^(?:LD_|DYLD_|BASH_ENV|ENV$)/.test(name)).map((name) => `set "${name}="`),
    `set "PATH=${literal(pins.path.join(";"))};%PATH%"`,
    'if "%~1"=="--gone" goto damaged',
    `if not exist ${quoted(pins.node)} goto nodegone`,
    `if not exist ${quoted(pins.bridge)} goto bridgegone`,
    `${quoted(pins.node)} ${quoted(pins.bridge)} %* ${options.join(" ")}`,
    "exit /b %ERRORLEVEL%",
    ":damaged",
    "shift",
    "echo tenterhook: its own files are damaged; run: npx tenterhook install 1>&2",
    "goto answer",
    ":nodegone",
    `echo tenterhook: node is gone from ${quoted(pins.node)}; run: npx tenterhook install 1>&2`,
    "goto answer",
    ":bridgegone",
    `echo tenterhook: its own files are gone from ${quoted(pins.bridge)}; run: npx tenterhook install 1>&2`,
    ":answer",
    ...answers.map(({ client, event }, at) => `if "%~2 %~4"=="${client} ${event}" goto answer${at}`),
    "exit /b 0",
    ...answers.flatMap((answer, at) => answerLines(answer, at, guards)),
    "",
  ].join("\r\n");
}

/** Refuses where a guard is known, or where the list of guards is gone. */
function answerLines(
  { events, stdout, exit }: FallbackAnswer,
  at: number,
  guards: string,
): readonly string[] {
  return [
    `:answer${at}`,
    ...events.map(
      (event) => `findstr /b /l /c:"${event}\t" ${quoted(guards)} >nul 2>nul && goto refuse${at}`,
    ),
    `if exist ${quoted(guards)} exit /b 0`,
    `:refuse${at}`,
    // Text between quotes is taken as it is, but for the percent sign.
    ...(stdout === "" ? [] : [`echo ${literal(stdout)}`]),
    `echo ${GONE} 1>&2`,
    `exit /b ${exit}`,
  ];
}

function quoted(path: string): string {
  return `"${literal(path)}"`;
}

/** In a file of commands a percent sign begins a variable. */
function literal(text: string): string {
  return text.replaceAll("%", "%%");
}
