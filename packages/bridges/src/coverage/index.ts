export { clientsWithTool, readAliasedCall } from "./aliased-call.ts";
export { type CapabilityCoverage, evidenceText, findCapabilities, noticeAdvice } from "./capabilities.ts";
export { adviseEnforcement, deliveringEvents, type Enforcement, findEnforcement } from "./enforcement.ts";
