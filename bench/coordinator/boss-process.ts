// pg-boss behind HTTP: `node boss-process.js URL`. What a team that has pg-boss would write so that runners elsewhere can use it.
import { reply, serveBare } from "./bare-server.ts";
import { startBoss } from "./pg-boss.ts";

const [url = ""] = process.argv.slice(2);
const boss = await startBoss(url, "bench");

await serveBare({
  "POST runs": async (body, response) => {
    const { parameters } = JSON.parse(body);
    reply(response, { run_id: await boss.send("bench", parameters) });
  },
  "GET runs": async (_body, response) => {
    const [job] = await boss.fetch("bench");
    reply(response, job === undefined ? {} : { run: { run_id: job.id, ...job } });
  },
  "POST completed": async (body, response) => {
    const { run_id, result_data } = JSON.parse(body);
    await boss.complete("bench", run_id, result_data);
    reply(response, {});
  },
});

process.once("disconnect", () => process.exit());
