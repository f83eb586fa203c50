import { createRequire } from "node:module";
import { type AdapterOptions, checkPeer, readVersion } from "../core/index.ts";
import { LANGCHAIN_SUPPORT } from "./support.ts";

let version: string | undefined | null = null;

/** Warns once of a version of LangChain that the adapter was not tested with. */
export function checkVersion({ warn }: AdapterOptions): void {
  if (version === null) version = readVersion(createRequire(import.meta.url), "langchain");
  checkPeer(LANGCHAIN_SUPPORT.peer, version, warn);
}
