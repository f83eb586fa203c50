import { config } from "zod";

// The page's security policy forbids eval, which zod tries when the first schema is created. The bundler puts this file into zod's chunk.
config({ jitless: true });
