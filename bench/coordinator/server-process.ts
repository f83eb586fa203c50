// A coordinator in a process of its own, as it would run: `node server-process.js FOLDER [DATABASE_URL]`. Prints its address.
import { serveCoordinator } from "@tenterhook/coordinator";

const [folder = "", url] = process.argv.slice(2);
const served = await serveCoordinator({ folder, url, port: 0 });
console.log(JSON.stringify({ url: served.url, token: served.token }));
process.once("SIGTERM", () => void served.close().then(() => process.exit(0)));
