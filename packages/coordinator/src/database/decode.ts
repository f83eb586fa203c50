import type { Text } from "./parameters.ts";

/** The database's reply to one statement: every value as PostgreSQL writes it. */
export interface Reply {
  /** The command that was executed, such as `SELECT` or `COMMIT`. */
  readonly command: string;
  readonly fields: readonly { readonly name: string; readonly type: number }[];
  readonly rows: readonly (readonly Text[])[];
}

type Decoder = (text: string) => unknown;

// The numbers are the ids of pg_type, which never change. Other types stay as PostgreSQL writes them: text, uuid, xid8
// (64 bits, so no number), numeric.
const DECODERS: Readonly<Record<number, Decoder>> = {
  16: (text) => text === "t",
  20: safeInteger,
  21: Number,
  23: Number,
  26: Number,
  114: JSON.parse,
  700: Number,
  701: Number,
  1000: decodeArray((text) => text === "t"),
  1007: decodeArray(Number),
  1009: decodeArray(String),
  1015: decodeArray(String),
  1016: decodeArray(safeInteger),
  1184: isoTime,
  1185: decodeArray(isoTime),
  2951: decodeArray(String),
  3802: JSON.parse,
};

interface Shape {
  /** A row without values. A copy of it has its properties already, which is quicker than adding them one by one. */
  readonly blank: Readonly<Record<string, unknown>>;
  readonly columns: readonly { readonly name: string; readonly decode: Decoder | undefined }[];
}

/** By the fields of a statement, which a driver may give again and again. */
const SHAPES = new WeakMap<Reply["fields"], Shape>();

function createShape(fields: Reply["fields"]): Shape {
  const known = SHAPES.get(fields);
  if (known !== undefined) return known;
  const columns = fields.map(({ name, type }) => ({ name, decode: DECODERS[type] }));
  const shape = { blank: Object.fromEntries(columns.map(({ name }) => [name, null])), columns };
  SHAPES.set(fields, shape);
  return shape;
}

/** Rows as objects, decoded. Throws a `RangeError` for an int8 that no number can represent. */
export function rowObjects({ fields, rows }: Reply): Record<string, unknown>[] {
  if (rows.length === 0) return [];
  const { blank, columns } = createShape(fields);
  return rows.map((row) => {
    const object = { ...blank };
    let index = 0;
    for (const { name, decode } of columns) object[name] = value(row[index++], decode);
    return object;
  });
}

function value(text: Text | undefined, decode: Decoder | undefined): unknown {
  if (text === null || text === undefined) return null;
  return decode === undefined ? text : decode(text);
}

function safeInteger(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number)) return number;
  throw new RangeError(`${text} is an int8 that a number cannot represent.`);
}

// "2026-11-15 07:03:00.123456+00" to "2026-11-15T07:03:00.123Z". Microseconds are cut off. A value that JavaScript cannot represent,
// such as "infinity", stays as it is.
function isoTime(text: string): string {
  if (UTC.test(text)) return `${text.slice(0, 10)}T${text.slice(11, 23)}Z`;
  const time = new Date(text.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00"));
  return Number.isNaN(time.getTime()) ? text : time.toISOString();
}

const UTC = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3,6}\+00$/;

function decodeArray(decode: Decoder): Decoder {
  return (text) => arrayTexts(text).map((element) => (element === null ? null : decode(element)));
}

const ELEMENT = /"((?:[^"\\]|\\.)*)"|([^,{}"]+)/gs;

/** The elements of an array of one dimension as PostgreSQL writes it: `{a,"b c",NULL}`. */
function arrayTexts(text: string): Text[] {
  return Array.from(text.matchAll(ELEMENT), ([, quoted, bare]) => {
    if (quoted !== undefined) return quoted.replace(/\\(.)/gs, "$1");
    return bare === undefined || bare === "NULL" ? null : bare;
  });
}
