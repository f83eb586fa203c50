import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { findBrowser } from "./find-browser.ts";
import { provideBrowser } from "./provide-browser.ts";
import type { Surroundings } from "./surroundings.ts";

const BROWSER = "#!/bin/sh\necho Chromium 1.2.3\n";

describe("a browser that is there", () => {
  test("the one that TENTERHOOK_CHROMIUM names is used before an installed one", async () => {
    const system = new FakeSystem();
    const named = system.program("named/browser");
    system.program("bin/chromium");
    expect(await findBrowser(system.surroundings({ TENTERHOOK_CHROMIUM: named }))).toBe(named);
  });

  test("TENTERHOOK_CHROMIUM may be the name of a program on PATH", async () => {
    const system = new FakeSystem();
    const other = system.program("bin/my-browser");
    expect(await findBrowser(system.surroundings({ TENTERHOOK_CHROMIUM: "my-browser" }))).toBe(other);
  });

  test.each([
    ["a file that does not exist", "bin/nothing", undefined],
    ["a file that may not be executed", "bin/text", { text: BROWSER, mode: 0o644 }],
    ["a program that fails", "bin/broken", { text: "#!/bin/sh\nexit 1\n", mode: 0o755 }],
    ["a file of another format", "bin/binary", { text: "\u007fELF of another processor", mode: 0o755 }],
  ])("TENTERHOOK_CHROMIUM with %s is an error, also where a browser is installed", async (_, name, file) => {
    const system = new FakeSystem();
    system.program("bin/chromium");
    const path = file === undefined ? join(system.root, name) : system.program(name, file.text, file.mode);
    const found = findBrowser(system.surroundings({ TENTERHOOK_CHROMIUM: path }));
    await expect(found).rejects.toThrow(
      new RegExp(`TENTERHOOK_CHROMIUM is "${path}", which (is not a program|does not start)`),
    );
  });

  test("TENTERHOOK_CHROMIUM with a folder is an error", async () => {
    const system = new FakeSystem();
    await expect(findBrowser(system.surroundings({ TENTERHOOK_CHROMIUM: system.root }))).rejects.toThrow(
      "is not a program",
    );
  });

  test.each([
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
  ])("%s on PATH is found", async (name) => {
    const system = new FakeSystem();
    const path = system.program(`bin/${name}`);
    expect(await findBrowser(system.surroundings())).toBe(path);
  });

  test("the one without windows is found before others", async () => {
    const system = new FakeSystem();
    system.program("bin/chromium");
    const path = system.program("bin/chromium-headless-shell");
    expect(await findBrowser(system.surroundings())).toBe(path);
  });

  test("one at a usual place is found without PATH", async () => {
    const system = new FakeSystem();
    const path = system.program("opt/chrome/chrome");
    expect(await findBrowser(system.surroundings({ PATH: "" }))).toBe(path);
  });

  test("a script that only says how to install the browser is passed over", async () => {
    const system = new FakeSystem();
    system.program("bin/chromium", "#!/bin/sh\necho Install the snap >&2\nexit 10\n");
    const path = system.program("bin/google-chrome");
    expect(await findBrowser(system.surroundings())).toBe(path);
  });
});

describe("no browser", () => {
  test("where the npm package does not fit, the error says what to install", async () => {
    const found = findBrowser(new FakeSystem().surroundings());
    await expect(found).rejects.toThrow(/apt-get install chromium.*TENTERHOOK_CHROMIUM/);
  });

  test.each(["chromium-headless-shell", "chromium"])(
    "root gets Debian's from apt-get, where it has the package %s",
    async (name) => {
      const system = new FakeSystem();
      const target = join(system.root, "bin", name);
      system.program("bin/apt-get", installer(target));
      expect(await provideBrowser(system.surroundings({}, 0))).toBe(target);
    },
  );

  test("another user is told what to install, and apt-get is not started", async () => {
    const system = new FakeSystem();
    const target = join(system.root, "bin/chromium");
    system.program("bin/apt-get", installer(target));
    await expect(provideBrowser(system.surroundings({}, 1000))).rejects.toThrow(
      /apt-get install chromium.* Only root can install it/,
    );
    await expect(findBrowser(system.surroundings())).rejects.toThrow("No Chromium");
  });

  test("an apt-get that fails is named with its arguments and status", async () => {
    const system = new FakeSystem();
    system.program("bin/apt-get", "#!/bin/sh\nexit 100\n");
    await expect(provideBrowser(system.surroundings({}, 0))).rejects.toThrow(
      "`apt-get update` failed with status 100",
    );
  });

  test("a system without apt-get is told what to install", async () => {
    await expect(provideBrowser(new FakeSystem().surroundings({}, 0))).rejects.toThrow(
      /Install one.*has no apt-get/,
    );
  });

  test("a wrong TENTERHOOK_CHROMIUM is not answered by an installation", async () => {
    const system = new FakeSystem();
    system.program("bin/apt-get", installer(join(system.root, "bin/chromium")));
    const provided = provideBrowser(system.surroundings({ TENTERHOOK_CHROMIUM: "/nothing/here" }, 0));
    await expect(provided).rejects.toThrow('TENTERHOOK_CHROMIUM is "/nothing/here", which is not a program');
  });
});

/** Writes a browser when it is asked to install the package of its name after an update, and has no other package. */
function installer(target: string): string {
  const list = `${target}.updated`;
  return `#!/bin/sh
case "$*" in
  *update) : > "${list}" ;;
  *"install -y --no-install-recommends ${basename(target)}")
    test -e "${list}" && printf '#!/bin/sh\\necho Chromium\\n' > "${target}" && /bin/chmod 755 "${target}" ;;
  *) exit 100 ;;
esac
`;
}

/** A folder with programs, as the only ones of the system. */
class FakeSystem {
  readonly root = temporaryFolder();

  program(name: string, text = BROWSER, mode = 0o755): string {
    const path = join(this.root, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { mode });
    return path;
  }

  surroundings(env: Readonly<Record<string, string>> = {}, uid = 1000): Surroundings {
    return {
      env: { PATH: join(this.root, "bin"), ...env },
      // A processor that the npm package does not fit.
      platform: "linux",
      arch: "arm64",
      uid,
      places: [join(this.root, "opt/chrome/chrome")],
    };
  }
}
