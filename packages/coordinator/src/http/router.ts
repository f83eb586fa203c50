import type { Operation } from "./operation.ts";

/** What a request asks for, by its first line. */
export interface Target {
  /** The parts of its path, decoded. The first is empty. */
  readonly segments: readonly string[];
  /** The first value of each name. */
  readonly query: Readonly<Record<string, string>>;
}

/** Reads the target of a request; `undefined` for one that is malformed. */
export function readTarget(text: string): Target | undefined {
  try {
    // A proxy may send a whole URL. Only the Host header says which host it is for.
    const url = new URL(text.startsWith("/") ? `http://localhost${text}` : text);
    const query: Record<string, string> = {};
    for (const [name, value] of url.searchParams) if (!Object.hasOwn(query, name)) query[name] = value;
    return { segments: url.pathname.split("/").map(decodeURIComponent), query };
  } catch {
    return undefined;
  }
}

/** The operations of a path, by their methods in upper case. */
interface Route {
  readonly path: string;
  readonly names: readonly string[];
  readonly operations: Map<string, Operation>;
}

/** Finds operations by method and path. A path that was added earlier comes first. */
export class Router {
  readonly #routes: Route[] = [];

  constructor(operations: readonly Operation[]) {
    for (const operation of operations) {
      const { path, method } = operation;
      const route = this.#routes.find((known) => known.path === path) ?? this.#add(path);
      route.operations.set(method.toUpperCase(), operation);
    }
  }

  #add(path: string): Route {
    const route = { path, names: path.split("/"), operations: new Map() };
    this.#routes.push(route);
    return route;
  }

  /** The first route of the path that has the method, else the first one; `undefined` for an unknown path. */
  find(method: string, { segments }: Target): Route | undefined {
    const routes = this.#routes.filter(
      ({ names }) =>
        names.length === segments.length &&
        names.every(
          (name, index) => name === segments[index] || (isParameter(name) && segments[index] !== ""),
        ),
    );
    return routes.find(({ operations }) => operations.has(method)) ?? routes[0];
  }
}

/** The parameters of a path such as `/runs/{id}`. */
export function readParameters({ path }: Operation, { segments }: Target): Record<string, string> {
  const entries = path.split("/").map((name, index) => [name, segments[index] ?? ""] as const);
  return Object.fromEntries(
    entries.filter(([name]) => isParameter(name)).map(([name, value]) => [name.slice(1, -1), value]),
  );
}

function isParameter(name: string): boolean {
  return name.startsWith("{");
}
