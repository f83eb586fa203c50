import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the broker that creates databases. */
    postgresBroker: string;
  }
}

/** An empty database on the PostgreSQL server that all tests of a run share; the first call waits until it has started. */
export async function freshPostgres(): Promise<string> {
  const response = await fetch(inject("postgresBroker"), { method: "POST" });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}
