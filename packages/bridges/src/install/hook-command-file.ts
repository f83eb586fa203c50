import { COMPLETE } from "../call/encode/encode.ts";
import { CANNOT_RUN, type FallbackAnswer, NOT_CHECKED } from "./fallback-answers.ts";
import { type HookScript, homeOptions } from "./hook-script.ts";

/**
 * Variables that make Node run something else, or fail, by name: to list variables of a family the command interpreter starts another one,
 * which a variable names. The environment of hooks is cleared of whole families, when a hook is started.
 */
export const CLEARED = [
  ...["NODE_OPTIONS", "NODE_PATH", "NODE_ICU_DATA", "NODE_EXTRA_CA_CERTS", "NODE_V8_COVERAGE", "NODE_DEBUG"],
  ...["NODE_DEBUG_NATIVE", "NODE_REDIRECT_WARNINGS", "NODE_PENDING_DEPRECATION", "NODE_COMPILE_CACHE"],
  ...[
    "NODE_COMPILE_CACHE_PORTABLE",
    "NODE_PRESERVE_SYMLINKS",
    "NODE_PRESERVE_SYMLINKS_MAIN",
    "NODE_CHANNEL_FD",
  ],
  ...[
    "NODE_CHANNEL_SERIALIZATION_MODE",
    "NODE_UNIQUE_ID",
    "NODE_TEST_CONTEXT",
    "NODE_TLS_REJECT_UNAUTHORIZED",
  ],
  ...["NODE_NO_WARNINGS", "NODE_USE_ENV_PROXY", "NODE_USE_SYSTEM_CA", "NODE_REPL_EXTERNAL_MODULE"],
  ...["OPENSSL_CONF", "OPENSSL_MODULES", "OPENSSL_ENGINES", "OPENSSL_ia32cap", "SSLKEYLOGFILE", "ICU_DATA"],
  ...["UV_USE_IO_URING", "UV_THREADPOOL_SIZE"],
  ...["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"],
];

/**
 * What clients start on Windows: the same as `hookScript`, with the differences that a guard of any project counts when the bridge is gone,
 * and that what the bridge prints goes to the client directly: it prints its answer in one piece, when it is complete. It starts no program by its name alone: Windows looks for that in the current folder
 * first, which is the project's. It was run by Wine's command interpreter (`scripts/run-command-file.mjs`), not by that of Windows.
 */
export function hookCommandFile(
  { pins, answers, guards }: Omit<HookScript, "hasPrivilegedMode">,
  windows: string = process.env.SystemRoot ?? "C:\\Windows",
): string {
  const options = homeOptions(pins, quoted);
  const isAscii = [pins.node, pins.bridge, guards, ...pins.path, ...options].every((text) =>
    /^[\x20-\x7e]*$/.test(text),
  );
  return [
    "@echo off",
    "rem Written by tenterhook install: coding agents start this as their hook. To remove it: npx tenterhook uninstall",
    "setlocal EnableExtensions DisableDelayedExpansion",
    // Sets UTF-8; otherwise letters outside ASCII in paths would be misread.
    ...(isAscii ? [] : [`${quoted(`${windows}\\System32\\chcp.com`)} 65001 >nul 2>nul`]),
    ...CLEARED.map((name) => `set "${name}="`),
    ...pathLines(pins.path),
    `if not exist ${quoted(pins.node)} goto nodegone`,
    `if not exist ${quoted(pins.bridge)} goto bridgegone`,
    `${quoted(pins.node)} ${quoted(pins.bridge)} %* ${options.join(" ")} --wrapper 0`,
    // Not %ERRORLEVEL%: a project can set a variable of that name. Any other code means that the bridge has not finished.
    `if errorlevel ${COMPLETE.refused + 1} goto damaged`,
    `if errorlevel ${COMPLETE.refused} exit /b 2`,
    `if errorlevel ${COMPLETE.passed + 1} goto damaged`,
    `if errorlevel ${COMPLETE.passed} exit /b 0`,
    ":damaged",
    "echo tenterhook: it ended before it had answered; run: npx tenterhook install 1>&2",
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

/** The command interpreter ends the whole file at a line of more than 8191 characters, and it counts what variables expand to. */
const LONGEST = 8000;

/**
 * Puts the pinned folders before as much of the client's PATH as fits. A project can set PATH in some clients, and `%PATH%` would run a
 * command in it: what `!PATH!` expands to is not parsed. But while that is on, no path with an exclamation mark can be written.
 */
function pathLines(folders: readonly string[]): readonly string[] {
  const fitting = folders.filter((_, at) => literal(folders.slice(0, at + 1).join(";")).length <= LONGEST);
  const pinned = literal(fitting.join(";"));
  return [
    `set "TENTERHOOK_PATH=${pinned}"`,
    "setlocal EnableDelayedExpansion",
    `if defined PATH (set "PATH=!TENTERHOOK_PATH!;!PATH:~0,${LONGEST - pinned.length}!") else set "PATH=!TENTERHOOK_PATH!"`,
    "setlocal DisableDelayedExpansion",
    'set "TENTERHOOK_PATH="',
  ];
}

/** Refuses when a guard is known, or when the list of guards cannot be read; otherwise it passes with a message. */
function answerLines(
  { events, refusal, notice }: FallbackAnswer,
  at: number,
  guards: string,
): readonly string[] {
  const pass = [...printed(notice.stdout), `echo tenterhook: ${NOT_CHECKED} 1>&2`, `exit /b ${notice.exit}`];
  if (events.length === 0) return [`:answer${at}`, ...pass];
  return [
    `:answer${at}`,
    // `if exist` does not tell whether it can be read.
    `type ${quoted(guards)} >nul 2>nul || goto refuse${at}`,
    // It has at least a comment, unless its content was lost.
    `for %%z in (${quoted(guards)}) do if %%~zz LSS 1 goto refuse${at}`,
    `for /f "usebackq" %%e in (${quoted(guards)}) do for %%w in (${events.join(" ")}) do if "%%e"=="%%w" goto refuse${at}`,
    ...pass,
    `:refuse${at}`,
    ...printed(refusal.stdout),
    `echo ${CANNOT_RUN} 1>&2`,
    `exit /b ${refusal.exit}`,
  ];
}

/** Text between quotes is taken as it is, but for the percent sign. */
function printed(text: string): readonly string[] {
  return text === "" ? [] : [`echo ${literal(text)}`];
}

function quoted(path: string): string {
  return `"${literal(path)}"`;
}

/** In a command file a percent sign begins a variable. */
function literal(text: string): string {
  return text.replaceAll("%", "%%");
}
