import { fileURLToPath } from "node:url";
import { testUnknownVersion } from "./node_modules/@tenterhook/adapters/dist/testing/test-version.js";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

testUnknownVersion("@strands-agents/sdk", here("node_modules"), here("example.mjs"));
