import type { RequestListener } from "node:http";
import { Problem } from "../problem.ts";
import type { Operation } from "./operation.ts";
import type { Page } from "./page/page.ts";
import { type Exchange, execute, type Gate, respond } from "./respond.ts";
import { Router, readTarget, type Target } from "./router.ts";
import { sendProblem } from "./send.ts";

/** The operations and the page, as one application. */
export function newApp(operations: readonly Operation[], page: Page, gate: Gate): RequestListener {
  const router = new Router(operations);
  const handle: RequestListener = (incoming, outgoing) => {
    const exchange = { incoming, outgoing };
    const file = page.find(incoming);
    if (file !== undefined) {
      return void respond(exchange, "page", gate, () => page.send(file, incoming, outgoing));
    }
    // HEAD is GET: Node leaves out the body.
    const method = incoming.method === "HEAD" ? "GET" : (incoming.method ?? "");
    const target = readTarget(incoming.url ?? "");
    const route = target && router.find(method, target);
    void respond(exchange, route?.path ?? "unknown", gate, async () => {
      if (target === undefined) throw new Problem("bad_request", "its address is malformed");
      if (route === undefined) throw nothingAt(target);
      const operation = route.operations.get(method);
      if (operation === undefined) throw otherMethod(exchange, [...route.operations.keys()]);
      await execute(operation, target, exchange, gate);
    });
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

function nothingAt({ segments }: Target): Problem {
  return new Problem("not_found", `there is nothing at ${segments.join("/")}`, {
    hint: "GET /openapi.json lists everything that there is.",
  });
}

function otherMethod({ incoming, outgoing }: Exchange, known: readonly string[]): Problem {
  outgoing.setHeader("allow", known.join(", "));
  return new Problem("method_not_allowed", `${incoming.method} is not among ${known.join(", ")}`);
}
