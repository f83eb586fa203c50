import { startPostgres } from "@tenterhook/coordinator/testing";
import { openDatabase, Coordinator } from "@tenterhook/coordinator";
import { PgBoss } from "pg-boss";
import { mkdtempSync } from "node:fs";
const pgs = await startPostgres();
const db = await openDatabase({ folder: mkdtempSync("/tmp/thb-"), url: await pgs.freshDatabase() });
const c = new Coordinator(db, { callHttpHook: async()=>({type:"failed",error:"x"}) });
await c.start();
const { saveAgent } = await import("/work/main/packages/coordinator/dist/agents/save-agent.js");
const { blueprint } = await import("@tenterhook/protocol/runs");
await db.transaction(q=>saveAgent(q, blueprint.parse({name:"echo",type:"procedural",command:["cat"]}), undefined));
const boss = new PgBoss(await pgs.freshDatabase()); await boss.start(); await boss.createQueue("bench");
const ctl = new AbortController();
const params = {x:"y".repeat(1000)};
let ts=[0,0,0];
const ours = async () => {
    let t=performance.now();
    await c.startRun({agent_name:"echo",parameters:params,execution_mode:"async_poll"}); ts[0]+=performance.now()-t; t=performance.now();
    const a = await c.nextAssignment({runnerId:"r",tags:[],hasSlot:true,leaseSeconds:30,hookWaitSeconds:600}, 1000, ctl.signal);ts[1]+=performance.now()-t; t=performance.now();
    await c.completeRun(a.run.id, a.run.lease_token, {result_text:null,result_data:{ok:true}});ts[2]+=performance.now()-t;
};
const theirs = async () => { await boss.send("bench", params); const [j]=await boss.fetch("bench"); if(j) await boss.complete("bench", j.id, {ok:true}); };
async function flight(f,n){ let left=n; const t=performance.now(); await Promise.all(Array.from({length:8},async()=>{while(left-->0) await f();})); return n/(performance.now()-t)*1000; }
for (let r=0;r<4;r++) { ts=[0,0,0]; const c0=process.cpuUsage(); const a=await flight(ours,400); const ca=process.cpuUsage(c0); const cpu=process.cpuUsage(); const b=await flight(theirs,400); const cb=process.cpuUsage(cpu); console.log("ours",Math.round(a),"boss",Math.round(b),"ratio",(a/b).toFixed(2), ts.map(x=>(x/400).toFixed(1)).join(" "), "cpu ms per cycle ours", ((ca.user+ca.system)/400000).toFixed(2), "boss", ((cb.user+cb.system)/400000).toFixed(2)); }
await c.close(); await db.close(); await boss.stop({graceful:false}); await pgs.remove(); process.exit(0);
