// Hooks around a function, without the engine.
export * from "./hook-stack.ts";
