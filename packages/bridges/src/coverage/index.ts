export { clientsWithTool, readAliasedCall } from "./aliased-call.ts";
export { type CapabilityCoverage, evidenceText, findCapabilities, noticeAdvice } from "./capabilities.ts";
export { deliveringEvents, type Enforcement, findEnforcement } from "./enforcement.ts";
export { adviseEnforcement } from "./enforcement-advice.ts";
