export { type Capability, capabilitiesOf, evidenceText, noticeAdvice } from "./capabilities.ts";
export { deliveringEvents, type Holding, holdingIn } from "./holding.ts";
export { holdingAdvice } from "./holding-advice.ts";
export { findToolAlias, isCanonicalTool, readAliasedCall, type ToolAlias } from "./tool-alias.ts";
