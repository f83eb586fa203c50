import { describe, expect, test } from "vitest";
import { loadClients } from "../clients/index.ts";
import { fallbackAnswers, GONE } from "./fallback-answers.ts";
import { hookCommandFile } from "./hook-command-file.ts";
import { hookScript, UNSET } from "./hook-script.ts";

// No test runs this file: that takes a machine with Windows. It is held to what the POSIX script does, branch by branch.
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
  test("clears every variable that the POSIX script clears, but for those that only POSIX has", () => {
    for (const name of UNSET) {
      expect(posix).toMatch(new RegExp(`^unset .*\\b${name}\\b`, "m"));
      const isPosix = /^(?:LD_|DYLD_|BASH_ENV|ENV$)/.test(name);
      expect(lines.includes(`set "${name}="`)).toBe(!isPosix);
    }
    expect(lines).toContain('set "PATH=C:\\one;C:\\two;%PATH%"');
  });

  test("starts the pinned node with the pinned folders, and passes its exit code on", () => {
    const started = lines.findIndex((line) => line.startsWith('"C:\\Program Files\\100%%\\node.exe" '));
    for (const option of ["--home", "--config-home", "--state-home", "--cache-home"]) {
      expect(posix).toContain(` ${option} `);
      expect(lines[started]).toContain(` ${option} "`);
    }
    expect(lines[started]).toContain(" %* ");
    expect(lines[started + 1]).toBe("exit /b %ERRORLEVEL%");
  });

  test.each([
    ["damaged", "its own files are damaged", 'if "%~1"=="--gone" goto damaged'],
    ["nodegone", "node is gone from", 'if not exist "C:\\Program Files\\100%%\\node.exe" goto nodegone'],
    ["bridgegone", "its own files are gone from", 'if not exist "C:\\Users\\a b\\bridge.js" goto bridgegone'],
  ])("says when it is %s, as the POSIX script does, and before node is started", (label, why, condition) => {
    expect(posix).toContain(why);
    expect(under(label).join("\n")).toMatch(new RegExp(`^echo tenterhook: ${why}.*1>&2$`, "m"));
    const started = lines.indexOf("exit /b %ERRORLEVEL%");
    expect(lines.indexOf(condition)).toBeGreaterThan(0);
    expect(lines.indexOf(condition)).toBeLessThan(started);
  });

  test("answers for every event of every client as the POSIX script does, and lets others pass", () => {
    for (const [at, { client, event, events, stdout, exit }] of answers.entries()) {
      expect(lines).toContain(`if "%~2 %~4"=="${client} ${event}" goto answer${at}`);
      expect(under(`answer${at}`)).toEqual([
        ...events.map((each) => `findstr /b /l /c:"${each}\t" "${GUARDS}" >nul 2>nul && goto refuse${at}`),
        `if exist "${GUARDS}" exit /b 0`,
      ]);
      expect(under(`refuse${at}`).filter(Boolean)).toEqual([
        ...(stdout === "" ? [] : [`echo ${stdout}`]),
        `echo ${GONE} 1>&2`,
        `exit /b ${exit}`,
      ]);
      expect(posix).toContain(`events='${events.join(" ")}' code=${exit}`);
    }
    expect(under("answer").at(-1)).toBe("exit /b 0");
  });

  test("has no answer with a character that the command interpreter would take for its own", () => {
    for (const { stdout } of answers) {
      expect(stdout).not.toMatch(/[%^!\n]|\\"/);
      expect(stdout.replaceAll(/"[^"]*"/g, "")).not.toMatch(/[&|<>()]/);
    }
    expect(GONE).not.toMatch(/[%^!&|<>()"]/);
  });

  test("names labels that are there, each once", () => {
    const labels = lines.filter((line) => line.startsWith(":")).map((line) => line.slice(1));
    expect(new Set(labels).size).toBe(labels.length);
    const named = lines.flatMap((line) => /goto (\w+)$/.exec(line)?.[1] ?? []);
    expect(named.filter((label) => !labels.includes(label))).toEqual([]);
  });
});
