export { runJob } from "@tenterhook/bridges";
