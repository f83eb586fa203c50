import { createRequire } from "node:module";
import { join } from "node:path";
import type { AroundPoint, Effect } from "@tenterhook/engine/host";
import { EVENT_NAMES, type EventName, eventRow } from "@tenterhook/protocol";
import { warnOnce } from "./adapter-options.ts";

/** The frameworks that have an adapter, by the name of its entry point. */
export type AdapterName =
  | "ai-sdk"
  | "langchain"
  | "openai-agents"
  | "claude-agent-sdk"
  | "mastra"
  | "strands";

/** A framework's package and the versions of it that an adapter is tested with. */
export interface Peer {
  readonly package: string;
  /** A range of npm, for people. */
  readonly range: string;
  /** The lowest tested version of each major: `6.0.326`; below 1 of each minor: `0.20.0`. */
  readonly versions: readonly string[];
}

/** How an adapter carries one event. */
export interface EventSupport {
  /** `full`: an extension point of the framework carries it; `partial`: in part, or around the framework; `none`: not fired. */
  readonly level: "full" | "partial" | "none";
  /** The effects that reach the framework; `proceed` always does. */
  readonly effects: readonly Effect[];
  /** The extension point, or why there is none. */
  readonly by: string;
  /** What differs from Tenterhook's own agent. */
  readonly notes?: string;
}

/** The support table of one adapter. */
export interface AdapterSupport {
  readonly adapter: AdapterName;
  /** The framework's name: `LangChain`. */
  readonly name: string;
  readonly peer: Peer;
  /** The events that it fires; those that are missing are not fired. */
  readonly events: { readonly [E in EventName]?: EventSupport };
  /** How wrappers of the model call and of the tool call are called; those that are missing are not. */
  readonly around: { readonly [P in AroundPoint]?: string };
}

/** The row of an event, also of one that the adapter does not fire. */
export function readSupport(
  { events, name }: Pick<AdapterSupport, "events" | "name">,
  event: EventName,
): EventSupport {
  return events[event] ?? { level: "none", effects: [], by: `${name} has no extension point for it` };
}

/** The events that agents fire, for tables: not those of a coordinator. */
export const AGENT_EVENTS: readonly EventName[] = EVENT_NAMES.filter(
  (event) => eventRow(event).layer === "agent",
);

/** The installed versions, by package. */
const versions = new Map<string, string | undefined>();

/**
 * Warns, naming the version, if an adapter was not tested with the framework that is installed. The version is read once; one that cannot
 * be read, as in a bundle, is not checked.
 */
export function checkPeerOnce({ peer }: Pick<AdapterSupport, "peer">, warn = warnOnce): void {
  const { package: name, range } = peer;
  if (!versions.has(name)) versions.set(name, readVersion(createRequire(import.meta.url), name));
  const version = versions.get(name);
  if (version === undefined || peer.versions.some((lowest) => isFrom(version, lowest))) return;
  warn(
    `@tenterhook/adapters was not tested with ${name} ${version}, only with ${range}: hooks may not be enforced.`,
  );
}

/** Whether a version has the same major as the lowest one, below 1 the same minor, and is not older. */
export function isFrom(version: string, lowest: string): boolean {
  const own = readNumbers(version);
  const low = readNumbers(lowest);
  const fixed = low[0] === 0 ? 2 : 1;
  if (low.slice(0, fixed).some((number, index) => own[index] !== number)) return false;
  const different = low.findIndex((number, index) => own[index] !== number);
  return different < 0 || (own[different] ?? 0) > (low[different] ?? 0);
}

function readNumbers(version: string): readonly number[] {
  return version.split("-", 1).join("").split(".").map(Number);
}

/** The version in a package's manifest, by its path: a package need not export it, nor be one that `require` loads. */
export function readVersion(load: NodeJS.Require, packageName: string): string | undefined {
  for (const modules of load.resolve.paths(packageName) ?? []) {
    try {
      const { version } = load(join(modules, packageName, "package.json")) as { readonly version?: unknown };
      if (typeof version === "string") return version;
    } catch {
      // It is not installed in this folder.
    }
  }
  return undefined;
}
