import { shellWord } from "@tenterhook/internal";
import { describe, expect, test } from "vitest";
import { loadClients } from "../clients/index.ts";
import { CANNOT_RUN, fallbackAnswers, NOT_CHECKED } from "./fallback-answers.ts";
import { CLEARED, hookCommandFile } from "./hook-command-file.ts";
import { hookScript } from "./hook-script.ts";
import { setAsidePattern } from "./set-aside.ts";

// No test runs this file: that takes a machine with Windows, or Wine (scripts/run-command-file.mjs). It is compared with what the POSIX script
// does, branch by branch.
const pins = {
  node: "C:\\Program Files\\100%\\node.exe",
  bridge: "C:\\Users\\a b\\bridge.js",
  home: "C:\\Users\\a b",
  configHome: "C:\\c",
  stateHome: "C:\\s",
  cacheHome: "C:\\k",
  path: ["C:\\one", "C:\\two"],
  language: {},
};
const GUARDS = "C:\\s\\tenterhook\\bridge\\guards";
const answers = fallbackAnswers(await loadClients());
const lines = hookCommandFile({ pins, answers, guards: GUARDS }).split("\r\n");
const posix = hookScript({ pins, answers, guards: GUARDS, hasPrivilegedMode: true });

/** The lines from a label to the next. */
function under(label: string): readonly string[] {
  const from = lines.indexOf(`:${label}`) + 1;
  const length = lines.slice(from).findIndex((line) => line.startsWith(":"));
  return lines.slice(from, length < 0 ? undefined : from + length);
}

describe("the command file for Windows", () => {
  test("clears variables that steer Node by name, all of families that the POSIX script sets aside", () => {
    const isOfFamily = new RegExp(setAsidePattern());
    for (const name of CLEARED) {
      if (!name.startsWith("XDG_")) expect(name).toMatch(isOfFamily);
      expect(lines).toContain(`set "${name}="`);
    }
  });

  test("puts the pinned folders before the PATH, and expands no variable where its value would be parsed", () => {
    const first = lines.indexOf('set "TENTERHOOK_PATH=C:\\one;C:\\two"');
    expect(lines.slice(first + 1, first + 5)).toEqual([
      "setlocal EnableDelayedExpansion",
      'if defined PATH (set "PATH=!TENTERHOOK_PATH!;!PATH:~0,7987!") else set "PATH=!TENTERHOOK_PATH!"',
      "setlocal DisableDelayedExpansion",
      'set "TENTERHOOK_PATH="',
    ]);
    for (const line of lines) expect(line.replaceAll("%%", "")).not.toMatch(/%[^*~]/);
  });

  test("has no line that the command interpreter would find too long, however long the PATH is", () => {
    const path = Array.from({ length: 900 }, (_, at) => `C:\\100%\\${at}`);
    const written = hookCommandFile({ pins: { ...pins, path }, answers, guards: GUARDS }).split("\r\n");
    const pinned = written.find((line) => line.startsWith('set "TENTERHOOK_PATH=')) ?? "";
    expect(pinned).toContain("C:\\100%%\\0;C:\\100%%\\1;");
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(8191);
    const rest = Number(/!PATH:~0,(\d+)!/.exec(written.join())?.[1]);
    expect(pinned.length + rest).toBeLessThan(8191);
  });

  test("starts the pinned node with the pinned folders, and takes every exit code but those of a complete answer for a crash", () => {
    const started = lines.findIndex((line) => line.startsWith('"C:\\Program Files\\100%%\\node.exe" '));
    for (const option of ["--home", "--config-home", "--state-home", "--cache-home"]) {
      expect(posix).toContain(` ${option} `);
      expect(lines[started]).toContain(` ${option} "`);
    }
    expect(lines[started]).toContain(" %* ");
    expect(lines.slice(started + 1, lines.indexOf(":damaged"))).toEqual([
      "if errorlevel 43 goto damaged",
      "if errorlevel 42 exit /b 2",
      "if errorlevel 41 goto damaged",
      "if errorlevel 40 exit /b 0",
    ]);
  });

  test.each([
    ["nodegone", "node is gone from", 'if not exist "C:\\Program Files\\100%%\\node.exe" goto nodegone'],
    ["bridgegone", "its own files are gone from", 'if not exist "C:\\Users\\a b\\bridge.js" goto bridgegone'],
  ])("says when it is %s, as the POSIX script does, and before node is started", (label, why, condition) => {
    expect(posix).toContain(why);
    expect(under(label).join("\n")).toMatch(new RegExp(`^echo tenterhook: ${why}.*1>&2$`, "m"));
    const started = lines.indexOf("if errorlevel 43 goto damaged");
    expect(lines.indexOf(condition)).toBeGreaterThan(0);
    expect(lines.indexOf(condition)).toBeLessThan(started);
  });

  test("answers for every event of every client as the POSIX script does, and lets others pass", () => {
    for (const [at, { client, event, events, refusal, notice }] of answers.entries()) {
      expect(lines).toContain(`if "%~2 %~4"=="${client} ${event}" goto answer${at}`);
      const pass = [
        ...(notice.stdout === "" ? [] : [`echo ${notice.stdout}`]),
        `echo tenterhook: ${NOT_CHECKED} 1>&2`,
        `exit /b ${notice.exit}`,
      ];
      if (notice.stdout !== "") expect(posix).toContain(`notice=${shellWord(notice.stdout)}`);
      if (notice.exit !== 0) expect(posix).toContain(`passed=${notice.exit}`);
      if (events.length === 0) {
        expect(under(`answer${at}`).filter(Boolean)).toEqual(pass);
        continue;
      }
      expect(under(`answer${at}`)).toEqual([
        `type "${GUARDS}" >nul 2>nul || goto refuse${at}`,
        `for %%z in ("${GUARDS}") do if %%~zz LSS 1 goto refuse${at}`,
        `for /f "usebackq" %%e in ("${GUARDS}") do for %%w in (${events.join(" ")}) do if "%%e"=="%%w" goto refuse${at}`,
        ...pass,
      ]);
      expect(under(`refuse${at}`).filter(Boolean)).toEqual([
        ...(refusal.stdout === "" ? [] : [`echo ${refusal.stdout}`]),
        `echo ${CANNOT_RUN} 1>&2`,
        `exit /b ${refusal.exit}`,
      ]);
      expect(posix).toContain(`events='${events.join(" ")}' code=${refusal.exit}`);
    }
    expect(under("answer").at(-1)).toBe("exit /b 0");
  });

  test("has no answer with a character that the command interpreter would take for its own", () => {
    for (const text of answers.flatMap(({ refusal, notice }) => [refusal.stdout, notice.stdout])) {
      expect(text).not.toMatch(/[%^!\n]|\\"/);
      expect(text.replaceAll(/"[^"]*"/g, "")).not.toMatch(/[&|<>()]/);
    }
    for (const text of [CANNOT_RUN, NOT_CHECKED]) expect(text).not.toMatch(/[%^!&|<>()"]/);
  });

  test("starts nothing by its name alone: that would be looked for in the project first", () => {
    const own = /^(?:@echo|rem|setlocal|set|if|goto|exit|shift|echo|for|type|:\w+)(?: |$)/;
    const started = lines.filter((line) => line !== "" && !own.test(line) && !line.startsWith(":"));
    expect(started).toEqual([expect.stringMatching(/^"C:\\Program Files\\100%%\\node\.exe" /)]);
  });

  test.each([
    ["a folder of the user", { home: "C:\\Users\\José" }],
    ["a folder of the PATH", { path: ["C:\\José"] }],
  ])("is read as UTF-8 where %s is not ASCII", (_, changed) => {
    const josé = hookCommandFile({ pins: { ...pins, ...changed }, answers, guards: GUARDS }, "C:\\W");
    expect(josé.split("\r\n")).toContain('"C:\\W\\System32\\chcp.com" 65001 >nul 2>nul');
    expect(josé.indexOf("chcp")).toBeLessThan(josé.indexOf("José"));
    expect(lines.join()).not.toContain("chcp");
  });

  test("names labels that are there, each once", () => {
    const labels = lines.filter((line) => line.startsWith(":")).map((line) => line.slice(1));
    expect(new Set(labels).size).toBe(labels.length);
    const named = lines.flatMap((line) => /goto (\w+)$/.exec(line)?.[1] ?? []);
    expect(named.filter((label) => !labels.includes(label))).toEqual([]);
  });
});
