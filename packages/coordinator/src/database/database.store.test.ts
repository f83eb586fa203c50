import { randomUUID } from "node:crypto";
import { freshPostgres } from "@tenterhook/test-support";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database, Queries } from "./database.ts";
import { NOTIFY } from "./notify.ts";
import { openDatabase } from "./open-database.ts";
import type { Parameter } from "./parameters.ts";
import { SqlError } from "./sql-error.ts";

const sql = (text: string) => ({ name: "", text });
const INSERT = sql("insert into settings (name, value) values ($1, '1')");

describe.each(["embedded", "server"] as const)("the %s database", (kind) => {
  const folder = temporaryFolder();
  let database: Database;

  beforeAll(async () => {
    database = await openDatabase({ folder, url: kind === "server" ? await freshPostgres() : undefined });
  });

  afterAll(() => database?.close());

  /** The one value that a statement selects. */
  async function one(text: string, values: Parameter[] = [], queries: Queries = database): Promise<unknown> {
    const [row] = await queries.run<Record<string, unknown>>(sql(text), values);
    return Object.values(row ?? {})[0];
  }

  test("has its kind", () => {
    expect(database.kind).toBe(kind);
  });

  test.each([
    ["9007199254740991::int8", Number.MAX_SAFE_INTEGER],
    ["(select count(*) from runs)", 0],
    ["-7::int4", -7],
    ["7::int2", 7],
    ["1.5::float8", 1.5],
    ["'NaN'::float8", Number.NaN],
    ["123456789012345678901234567890.10::numeric", "123456789012345678901234567890.10"],
    ["true", true],
    ["false", false],
    ["null", null],
    ["''", ""],
    ["'2026-11-15 07:03:01.123456+00'::timestamptz", "2026-11-15T07:03:01.123Z"],
    ["'2026-11-15 07:03:01+05:30'::timestamptz", "2026-11-15T01:33:01.000Z"],
    ["'1969-12-31 23:59:59.5+00'::timestamptz", "1969-12-31T23:59:59.500Z"],
    ["'infinity'::timestamptz", "infinity"],
    [`'{"a":[1,null,"x"]}'::jsonb`, { a: [1, null, "x"] }],
    [`'"12"'::jsonb`, "12"],
    ["'null'::jsonb", null],
    [`'[1]'::json`, [1]],
    ["'18446744073709551615'::xid8", "18446744073709551615"],
    ["'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'::uuid", "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11"],
    ["'{}'::text[]", []],
    [
      `array['a', 'b c', 'd,e', '"', 'f\\g', '', 'NULL', null, '{}']`,
      ["a", "b c", "d,e", '"', "f\\g", "", "NULL", null, "{}"],
    ],
    ["array[1, null, 3]", [1, null, 3]],
    ["array[1::int8, 2]", [1, 2]],
    ["array[true, false]", [true, false]],
    ["array['2026-11-15 07:03:01+00'::timestamptz]", ["2026-11-15T07:03:01.000Z"]],
  ])("gives %s as the same value as the other driver", async (expression, expected) => {
    expect(await one(`select ${expression} as value`)).toEqual(expected);
  });

  test("refuses to round an int8 that a number cannot hold", async () => {
    await expect(one("select 9007199254740993::int8")).rejects.toThrow(RangeError);
    expect(await one("select 1")).toBe(1);
  });

  test.each<[string, Parameter, unknown]>([
    ["text", "it's", "it's"],
    ["int8", 12, 12],
    ["int8", 12n, 12],
    ["bool", false, false],
    ["float8", 0.1, 0.1],
    ["timestamptz", new Date(1_700_000_000_123), "2023-11-14T22:13:20.123Z"],
    ["timestamptz", "2026-11-15T07:03:01.123Z", "2026-11-15T07:03:01.123Z"],
    ["jsonb", JSON.stringify(["a", { b: null }]), ["a", { b: null }]],
    ["jsonb", JSON.stringify("12"), "12"],
    ["text", null, null],
    ["text", undefined, null],
    ["int4[]", [1, null], [1, null]],
    ["text[]", [], []],
    ["xid8", "18446744073709551615", "18446744073709551615"],
  ])("takes a %s parameter %s", async (type, parameter, expected) => {
    expect(await one(`select $1::${type}`, [parameter])).toEqual(expected);
  });

  test("refuses an object as a parameter, because it cannot know what it was meant as", async () => {
    // @ts-expect-error: the type says so as well.
    await expect(one("select $1::jsonb", [{ a: 1 }])).rejects.toThrow(/JSON.stringify/);
  });

  test("gives back every text array and every JSON value that it was given", async () => {
    // PostgreSQL has no NUL in texts.
    const text = fc.string({ unit: "grapheme" }).filter((value) => !value.includes("\0"));
    const json = fc
      .jsonValue({ stringUnit: "grapheme" })
      .filter((value) => !JSON.stringify(value).includes("\\u0000"));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.option(text)), json, async (texts, value) => {
        const rows = await database.run(
          { name: "test_echo", text: "select $1::text[] as texts, $2::jsonb as value" },
          [texts, JSON.stringify(value)],
        );
        expect(rows).toEqual([{ texts, value: JSON.parse(JSON.stringify(value)) }]);
      }),
      { numRuns: 100, seed: 20261115 },
    );
  });

  test("carries a megabyte in both directions", async () => {
    const text = "häß\n".repeat(250_000);
    expect(await one("select $1::jsonb", [JSON.stringify(text)])).toBe(text);
  });

  test("runs a named statement again after it has failed", async () => {
    const divide = { name: "test_divide", text: "select 10 / $1::int4 as quotient" };
    await expect(database.run(divide, [0])).rejects.toMatchObject({ name: "SqlError", code: "22012" });
    expect(await database.run(divide, [5])).toEqual([{ quotient: 2 }]);
    expect(await database.run(divide, [2])).toEqual([{ quotient: 5 }]);
  });

  test("refuses a second statement under the same name", async () => {
    await database.run({ name: "test_twin", text: "select 1" });
    await expect(database.run({ name: "test_twin", text: "select 2" })).rejects.toThrow(
      'the name "test_twin"',
    );
  });

  test("names code, constraint and table of a refused statement", async () => {
    const name = randomUUID();
    await database.run(INSERT, [name]);
    const refused = { name: "SqlError", code: "23505", constraint: "settings_pkey", table: "settings" };
    await expect(database.run(INSERT, [name])).rejects.toMatchObject(refused);
  });

  test.each([["12"], ['{"a":1}'], [{ a: "12" }], [[1, "2"]]])(
    "keeps the JSON value %j in a column",
    async (value) => {
      const name = randomUUID();
      await database.run(sql("insert into settings (name, value) values ($1, $2::jsonb)"), [
        name,
        JSON.stringify(value),
      ]);
      expect(await one("select value from settings where name = $1", [name])).toEqual(value);
    },
  );

  test("keeps nothing of a transaction whose work throws", async () => {
    const name = randomUUID();
    const work = database.transaction(async (queries) => {
      await queries.run(INSERT, [name]);
      expect(await one("select count(*) from settings where name = $1", [name], queries)).toBe(1);
      throw new Error("no");
    });
    await expect(work).rejects.toThrow("no");
    expect(await one("select count(*) from settings where name = $1", [name])).toBe(0);
  });

  test("does not report success for a transaction whose work has swallowed a failed statement", async () => {
    const name = randomUUID();
    const work = database.transaction(async (queries) => {
      await queries.run(INSERT, [name]);
      await queries.run(sql("select 1 / 0")).catch(() => {});
    });
    await expect(work).rejects.toMatchObject({ code: "25P02" });
    expect(await one("select count(*) from settings where name = $1", [name])).toBe(0);
  });

  test("refuses statements in a transaction that has ended", async () => {
    const queries = await database.transaction(async (queries) => queries);
    await expect(queries.run(sql("select 1"))).rejects.toThrow("has ended");
  });

  test("tries a transaction again that was in conflict, and gives up after a few times", async () => {
    let attempts = 0;
    const conflict = async (queries: Queries) => {
      attempts += 1;
      await queries.run(sql("do $$ begin raise exception using errcode = '40001'; end $$"));
    };
    const second = database.transaction(async (queries) => (attempts === 0 ? conflict(queries) : attempts));
    expect(await second).toBe(1);
    await expect(database.transaction(conflict)).rejects.toMatchObject({ name: "SqlError", code: "40001" });
    expect(attempts).toBeLessThan(10);
  });

  test("does not lose an update of transactions at the same time", async () => {
    const name = randomUUID();
    await database.run(sql("insert into settings (name, value, version) values ($1, '0', 0)"), [name]);
    const increment = () =>
      database.transaction(async (queries) => {
        const version = await one("select version from settings where name = $1 for update", [name], queries);
        await queries.run(sql("update settings set version = $2 where name = $1"), [
          name,
          Number(version) + 1,
        ]);
      });
    await Promise.all(Array.from({ length: 25 }, increment));
    expect(await one("select version from settings where name = $1", [name])).toBe(25);
  });

  test("delivers notices when a transaction commits, in order, and none when it does not", async () => {
    const received: string[] = [];
    let last: () => void = () => {};
    const done = new Promise<void>((resolve) => {
      last = resolve;
    });
    const stop = await database.listen('an "odd" Channel', (payload) => {
      received.push(payload);
      if (payload === "last") last();
    });
    const refused = database.transaction(async (queries) => {
      await queries.run(NOTIFY, ['an "odd" Channel', "rolled back"]);
      throw new Error("no");
    });
    await expect(refused).rejects.toThrow("no");
    await database.transaction(async (queries) => {
      await queries.run(NOTIFY, ['an "odd" Channel', "one"]);
      await queries.run(NOTIFY, ['an "odd" Channel', "two"]);
      expect(received).toEqual([]);
    });
    await database.notify("another channel", "for another listener");
    await database.notify('an "odd" Channel', "last");
    await done;
    expect(received).toEqual(["one", "two", "last"]);
    await stop();
  });

  test("notifies every listener of a channel, until it stops", async () => {
    const received: string[] = [];
    const once = () => {
      let resolve: (payload: string) => void = () => {};
      const notice = new Promise<string>((done) => {
        resolve = done;
      });
      return { notice, resolve };
    };
    const [first, second] = [once(), once()];
    const stop = await database.listen("shared", (payload) => received.push(payload));
    const stopFirst = await database.listen("shared", first.resolve);
    await database.notify("shared", "1");
    expect(await first.notice).toBe("1");
    await stop();
    await stopFirst();
    const stopSecond = await database.listen("shared", second.resolve);
    await database.notify("shared", "2");
    expect(await second.notice).toBe("2");
    expect(received).toEqual(["1"]);
    await stopSecond();
  });

  test("rejects with SqlError only when the database refused a statement", async () => {
    await expect(
      database.transaction(async () => Promise.reject(new TypeError("a defect"))),
    ).rejects.not.toBeInstanceOf(SqlError);
  });

  // The last one: it closes the database.
  test("ends what is under way when it is closed, and refuses the rest", async () => {
    await database.listen("anything", () => {});
    const many = Promise.all(Array.from({ length: 30 }, () => one("select 5")));
    const together = database.transaction(async (queries) => {
      await one("select 1", [], queries);
      return one("select 2", [], queries);
    });
    const closed = Promise.all([database.close(), database.close()]);
    await expect(database.run(sql("select 3"))).rejects.toMatchObject({ code: "store_unavailable" });
    await expect(database.transaction(async () => 4)).rejects.toMatchObject({ code: "store_unavailable" });
    expect(await together).toBe(2);
    expect(await many).toEqual(Array(30).fill(5));
    await closed;
    await database.close();
  });
});
