import { config } from "zod";

// The page may not make code of strings, and zod would try to as soon as the first schema is made: so this is imported first.
config({ jitless: true });
