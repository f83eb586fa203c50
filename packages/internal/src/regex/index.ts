export { compileRegex } from "./compile-regex.ts";
