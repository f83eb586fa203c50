export { type CapabilityCoverage, evidenceText, findCapabilities, noticeAdvice } from "./capabilities.ts";
export { deliveringEvents, type Enforcement, findEnforcement } from "./enforcement.ts";
export { adviseEnforcement } from "./enforcement-advice.ts";
export { findToolAlias, isCanonicalTool, readAliasedCall, type ToolAlias } from "./tool-alias.ts";
