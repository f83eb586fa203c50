// Which hooks of a project may run, for the other packages. Not stable.
export { hashFolder } from "./folder-hash.ts";
export { couldRefuse, TrustChecker, type TrustedHook, type TrustStatus, TrustStore } from "./trust-store.ts";
