import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** Where a test asks for a database. */
    postgresBroker: string;
  }
}

/** An empty database on the PostgreSQL server that all tests of a run share; the first to ask waits until it has started. */
export async function freshPostgres(): Promise<string> {
  const response = await fetch(inject("postgresBroker"), { method: "POST" });
  const answer = await response.text();
  if (!response.ok) throw new Error(answer);
  return answer;
}
