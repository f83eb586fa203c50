import type { RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import { Hono } from "hono";
import { Problem } from "../problem.ts";
import { type App, answer, type Gate, mount, routeOf } from "./mount.ts";
import type { Operation } from "./operation.ts";
import type { Page } from "./page/page.ts";
import { problemBody, sendProblem } from "./send.ts";

/** The operations and the page, as one application. */
export function newApp(operations: readonly Operation[], page: Page, gate: Gate): RequestListener {
  const app: App = new Hono();
  for (const each of operations) mount(app, each, gate);
  refuseOtherMethods(app, operations, gate);
  app.notFound((context) =>
    answer(context.env, "unknown", gate, async () => {
      throw new Problem("not_found", `there is nothing at ${context.req.path}`, {
        hint: "GET /openapi.json lists everything that there is.",
      });
    }),
  );
  const operate = getRequestListener(app.fetch, {
    // The process belongs to the program that embeds the coordinator; answers do not go through `Response` anyway.
    overrideGlobalObjects: false,
    errorHandler: unreadable,
  });
  const handle: RequestListener = (incoming, outgoing) => {
    const file = page.find(incoming);
    if (file === undefined) return void operate(incoming, outgoing);
    void answer({ incoming, outgoing }, "page", gate, async () => page.send(file, incoming, outgoing));
  };
  const decide = (problem: Problem | undefined, ...[incoming, outgoing]: Parameters<RequestListener>) => {
    if (problem === undefined) return handle(incoming, outgoing);
    sendProblem(outgoing, problem);
    gate.answered("refused", incoming.method ?? "", problem.status, 0);
  };
  return (incoming, outgoing) => {
    const problem = gate.anonymous.check(incoming);
    if (!(problem instanceof Promise)) return decide(problem, incoming, outgoing);
    void problem.then((late) => decide(late, incoming, outgoing));
  };
}

/** Refuses other methods of known paths. */
function refuseOtherMethods(app: App, operations: readonly Operation[], gate: Gate): void {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) {
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  }
  for (const [path, known] of methods) {
    app.all(routeOf(path), (context) =>
      answer(context.env, path, gate, async ({ incoming, outgoing }) => {
        outgoing.setHeader("allow", known.join(", "));
        throw new Problem("method_not_allowed", `${incoming.method} is not among ${known.join(", ")}`);
      }),
    );
  }
}

/** The answer to a request that cannot be parsed, such as one with a malformed Host. */
function unreadable(): Response {
  const problem = new Problem("bad_request", "its address or its Host header is malformed");
  const headers = { "content-type": "application/problem+json" };
  return new Response(JSON.stringify(problemBody(problem)), { status: problem.status, headers });
}
