import { homedir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { dataFolder, runnerFolder } from "./data-folder.ts";

test.each([
  [{}, join(homedir(), ".local", "share", "tenterhook")],
  [{ HOME: "/home/ana" }, "/home/ana/.local/share/tenterhook"],
  [{ XDG_DATA_HOME: "/data", HOME: "/home/ana" }, "/data/tenterhook"],
  // A path that is not absolute is to be ignored, by the XDG rules.
  [{ XDG_DATA_HOME: "data", HOME: "/home/ana" }, "/home/ana/.local/share/tenterhook"],
])("with %j the data folder is %s, and the runner's part lies in it", (env, folder) => {
  expect(dataFolder(env)).toBe(folder);
  expect(runnerFolder(env)).toBe(join(folder, "runner"));
});
