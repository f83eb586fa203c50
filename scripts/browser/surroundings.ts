import { join } from "node:path";

/** What the lookup of the browser depends on. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly arch: string;
  /** The user's id; absent on Windows. */
  readonly uid: number | undefined;
  /** Paths where browsers are installed that are not on PATH. */
  readonly places: readonly string[];
}

/** The surroundings of this process. */
export function readSurroundings(): Surroundings {
  const { env, platform, arch } = process;
  return { env, platform, arch, uid: process.getuid?.(), places: usualPlaces(platform, env) };
}

function usualPlaces(platform: NodeJS.Platform, env: Surroundings["env"]): readonly string[] {
  if (platform === "darwin")
    return ["Google Chrome", "Chromium"].map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`);
  if (platform === "win32")
    return [env.ProgramFiles, env["ProgramFiles(x86)"], env.LOCALAPPDATA].flatMap((folder) =>
      folder === undefined
        ? []
        : ["Google/Chrome", "Chromium"].map((name) => join(folder, name, "Application", "chrome.exe")),
    );
  return [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/local/bin/chromium",
    "/snap/bin/chromium",
    "/opt/google/chrome/chrome",
  ];
}
