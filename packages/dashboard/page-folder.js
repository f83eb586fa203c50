import { fileURLToPath } from "node:url";

/** The folder with the built page, for a coordinator to serve. */
export const pageFolder = fileURLToPath(new URL("./dist/page/", import.meta.url));
