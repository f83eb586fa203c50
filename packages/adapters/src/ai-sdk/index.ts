export { hooksMiddleware, hookTools, withHooks } from "./with-hooks.ts";
