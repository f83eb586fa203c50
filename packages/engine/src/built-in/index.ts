export { type AuditLog, type AuditLogOptions, auditLog } from "./audit-log.ts";
export { type BudgetOptions, type BudgetScope, budget } from "./budget.ts";
export {
  type GateCheck,
  type GateCommand,
  type GateResult,
  type QualityGateOptions,
  qualityGate,
} from "./quality-gate.ts";
export { redactText, redactValue } from "./redact/redact.ts";
export type { DetectorName, RedactOptions } from "./redact/redactor.ts";
export { type RedactionOptions, type RedactionTarget, redaction } from "./redaction.ts";
export { type ShadowOptions, type ShadowReport, shadow } from "./shadow.ts";
export { type ToolPolicyOptions, toolPolicy } from "./tool-policy.ts";
