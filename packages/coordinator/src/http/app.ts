import { Hono } from "hono";
import { Problem } from "../problem.ts";
import { type App, answer, type Gate, mount } from "./mount.ts";
import type { Operation } from "./operation.ts";

/** The operations as one application. */
export function newApp(operations: readonly Operation[], gate: Gate): App {
  const app: App = new Hono();
  for (const each of operations) mount(app, each, gate);
  for (const [path, methods] of methodsByPath(operations)) {
    app.all(path.replaceAll(/\{(\w+)\}/g, ":$1"), (context) =>
      answer(context.env, path, gate, async ({ incoming, outgoing }) => {
        outgoing.setHeader("allow", methods.join(", "));
        throw new Problem("method_not_allowed", `${incoming.method} is not among ${methods.join(", ")}`);
      }),
    );
  }
  app.notFound((context) =>
    answer(context.env, "unknown", gate, async () => {
      throw new Problem("not_found", `there is nothing at ${context.req.path}`, {
        hint: "GET /openapi.json lists everything that there is.",
      });
    }),
  );
  return app;
}

function methodsByPath(operations: readonly Operation[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) {
    methods.set(path, [...(methods.get(path) ?? []), method.toUpperCase()]);
  }
  return methods;
}
