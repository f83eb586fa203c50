import { createRequire } from "node:module";
import { checkPeer, readVersion } from "../core/index.ts";
import { support } from "./support.ts";

export { hooksMiddleware, hookTools } from "./parts.ts";
export { withHooks } from "./with-hooks.ts";

checkPeer(support.peer, readVersion(createRequire(import.meta.url), "ai"));
