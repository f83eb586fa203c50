// Which hooks of a project may run, for the other packages. Not stable.
export { hashFolder } from "./folder-hash.ts";
export type { TrustedHook } from "./trust-file.ts";
export { couldRefuse, TrustChecker, type TrustStatus } from "./trust-status.ts";
export { TrustStore } from "./trust-store.ts";
