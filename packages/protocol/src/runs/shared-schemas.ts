import { z } from "zod";

export const record = z.record(z.string(), z.unknown());

export const time = z.iso.datetime().describe("UTC");
