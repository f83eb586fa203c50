export { forgetKnownGuard } from "../call/match/known-guards.ts";
export {
  clientFiles,
  configurationPaths,
  type FileLocation,
  findFile,
  type InstallScope,
} from "./client-files.ts";
export { askedMs, installedEvents, ownEvent } from "./entry.ts";
export { CANNOT_RUN, NOT_CHECKED } from "./fallback-answers.ts";
export { fileText } from "./file-text.ts";
export { type FoundClient, findClients, findProgram } from "./find-clients.ts";
export { makeForHomeOwner } from "./home-owner.ts";
export { type InstallOptions, install, plannedInstall } from "./install.ts";
export { type InstalledFile, type InstallRecord, readRecord } from "./install-record.ts";
export { type Installation, installationFor } from "./installation.ts";
export { type ForeignHook, foreignHooks, installedCommand } from "./installed-command.ts";
export { installedEnvironment } from "./installed-environment.ts";
export { installedFiles } from "./installed-files.ts";
export { NOT_INSTALLED } from "./not-installed.ts";
export { isWholeBundle } from "./own-bundle.ts";
export { type FilePlan, isChange } from "./plan-install.ts";
export { expectedRefusal, newProbe, type Probe, probeRecord, removeProbe } from "./probe/new-probe.ts";
export { probePayload } from "./probe/probe-payload.ts";
export { settingAt } from "./setting-at.ts";
export { HASH_TRUST } from "./special-clients.ts";
export { aboutMoved, type RemovalPlan } from "./uninstall.ts";
export { plannedRemovals, type UninstallOptions, uninstall } from "./uninstall-all.ts";
