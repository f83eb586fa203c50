export { hooksMiddleware, hookTools } from "./parts.ts";
export { withHooks } from "./with-hooks.ts";
