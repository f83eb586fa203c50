import { isInPathSet, type PathTarget } from "@tenterhook/commands";
import { expect, test } from "vitest";
import { CLIENTS, loadClients, READERS } from "./index.ts";

test("every client is listed under its own id", async () => {
  expect((await loadClients()).map(({ id }) => id)).toEqual(Object.keys(CLIENTS));
});

test("the list of clients that read another's configuration agrees with the clients' descriptions", async () => {
  const readers: Record<string, string[]> = {};
  for (const { id, readsFilesOf } of await loadClients())
    for (const other of readsFilesOf) readers[other] = [...(readers[other] ?? []), id];
  expect(READERS).toEqual(readers);
});

test("every event of ours that a client delivers can be refused, kept from ending or reported somewhere", async () => {
  for (const { id, events } of await loadClients()) {
    const tool = Object.values(events).find(({ events: ours }) =>
      (ours as readonly string[]).includes("before_tool"),
    );
    expect(tool?.capabilities.block, id).toBeDefined();
  }
});

test("every file that a client has hooks or their switches in is guarded against agents", async () => {
  for (const { id, configuration } of await loadClients()) {
    const { files, switches = [], guarded } = configuration;
    for (const { path } of [...files, ...switches])
      expect([id, path, guarded.some((each) => `${path}/`.startsWith(`${each}/`))]).toEqual([id, path, true]);
  }
});

test("rules about the path set self guard all of these files, in a project and in the home", async () => {
  const place = { workDir: "/work/project", home: "/home/ana" };
  const configurations = (await loadClients()).map(({ configuration }) => configuration);
  const paths = configurations.flatMap(({ guarded }) => guarded);
  const ours = [
    ...[".config/agents/hooks/x/HOOK.md", ".config/agents/hooks/hooks.toml", ".config/agents"],
    ...[".local/state/tenterhook/trust.json", ".local/share/tenterhook-bridge", ".cache/tenterhook"],
  ];
  const all = [...paths.map((path) => `/work/project/${path}`), "/work/project/.agents/hooks/x/HOOK.md"];
  const left = [...all, ...[...paths, ...ours].map((path) => `/home/ana/${path}`)].filter((path) => {
    const target: PathTarget = {
      ...{ type: "path", path, resolved: path },
      ...{ known: "known", isGlob: false, isMade: false },
    };
    return !isInPathSet("self", target, place, "some");
  });
  // A project's plugins of OpenCode are elsewhere.
  expect(left).toEqual(left.filter((path) => path.startsWith("/work/project/.config/")));
});
