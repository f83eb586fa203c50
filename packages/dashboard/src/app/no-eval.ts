import { config } from "zod";

// The page's security policy forbids eval, which zod tries when the first schema is created. Import this file first.
config({ jitless: true });
