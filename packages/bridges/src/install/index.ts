export {
  clientFiles,
  configurationPaths,
  type FileLocation,
  fileText,
  findFile,
  type InstallScope,
} from "./client-files.ts";
export { askedMs, installedEvents, NOT_INSTALLED, ownEvent } from "./entry.ts";
export { CANNOT_RUN, NOT_CHECKED } from "./fallback-answers.ts";
export { type FoundClient, findClients, findProgram } from "./find-clients.ts";
export { type InstallOptions, install, plannedInstall } from "./install.ts";
export { type InstalledFile, type InstallRecord, readRecord } from "./install-record.ts";
export { type Installation, installationFor } from "./installation.ts";
export { type ForeignHook, foreignHooks, installedCommand, settingAt } from "./installed-command.ts";
export { installedEnvironment } from "./installed-environment.ts";
export { installedFiles } from "./installed-files.ts";
export { isWholeBundle } from "./own-bundle.ts";
export { type FilePlan, isChange } from "./plan-install.ts";
export { expectedRefusal, newProbe, type Probe, probePayload, probeRecord, removeProbe } from "./probe.ts";
export { HASH_TRUST } from "./special-clients.ts";
export {
  aboutMoved,
  plannedRemovals,
  type RemovalPlan,
  type UninstallOptions,
  uninstall,
} from "./uninstall.ts";
export { makeForHomeOwner } from "./write-file.ts";
