import { expect, test } from "vitest";
import { loadClients } from "../clients/index.ts";
import { findCapabilities } from "./capabilities.ts";

const clients = await loadClients();

function cellOf(client: string, id: string) {
  const found = clients.find((each) => each.id === client);
  if (found === undefined) throw new Error(`there is no ${client}`);
  return findCapabilities(found).find((each) => each.id === id);
}

test("what an agent does not always deliver is enforced partly, and the table says where not", () => {
  const partly = { enforced: "partly", isFull: false };
  expect(cellOf("droid", "refuse_prompt")).toMatchObject({ ...partly, why: "not delivered by droid exec" });
  expect(cellOf("cline", "refuse_prompt")).toMatchObject({
    ...partly,
    why: "not delivered by a run without a terminal",
  });
});

test("a stop gate that is asked once keeps the agent running once", () => {
  expect(cellOf("kimi", "keep_running")).toMatchObject({ enforced: "once", isFull: false });
});

test("a result that can be neither replaced nor objected to at once is objected to later", () => {
  expect(cellOf("kimi", "replace_result")).toMatchObject({ enforced: "later" });
});

test.each(clients.map((client) => [client.id, client] as const))(
  "%s: every kind of evidence that a form names is dated",
  (_, { events, known }) => {
    const forms = Object.values(events).flatMap(({ capabilities }) => Object.values(capabilities));
    const kinds = new Set(forms.map(({ evidence }) => evidence).filter((kind) => kind !== "live"));
    for (const kind of kinds) expect(known.found).toHaveProperty(kind);
  },
);
