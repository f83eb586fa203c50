// `npm run browser:install` makes sure that there is a browser for the page's tests, and prints its path.
import { provideBrowser } from "./browser/provide-browser.ts";

try {
  console.log(await provideBrowser());
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
