export { canonicalJson } from "./canonical-json.ts";
export { checkJson } from "./check-json.ts";
export { findInexactNumber, findInexactNumbers, type InexactNumbers } from "./inexact-numbers.ts";
export { isCyclic, isJsonLimit, JSON_DOCUMENT_LIMITS, JSON_LIMITS, type JsonLimits } from "./json-limits.ts";
export { parseJson, withoutBom } from "./parse-json.ts";
