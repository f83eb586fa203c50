import type { CommandEffect, EffectMatch, PathSetPlace } from "@tenterhook/commands";
import type { EventName, Payload } from "@tenterhook/protocol";
import { canonicalTools, type EffectMatcherInit } from "@tenterhook/protocol/internal";
import type { EffectsOf } from "../context/dispatch-options.ts";
import { EventContext, type MatchedEffect, runContextOf } from "../context/hook-context.ts";

interface Reader {
  readonly commands: typeof import("@tenterhook/commands");
  readonly createFiles: typeof import("./real-files.ts")["createFiles"];
}

/** Effects are read by modules that are loaded with the first matcher that needs them, and with none otherwise. */
let reader: Reader | undefined;
let failure: unknown;
let loading: Promise<void> | undefined;

/** Loads what reads effects; `undefined` when that is done. It does not reject: what failed is thrown where effects are read. */
export function loadEffects(): Promise<void> | undefined {
  if (reader !== undefined || failure !== undefined) return undefined;
  loading ??= Promise.all([import("@tenterhook/commands"), import("./real-files.ts")]).then(
    ([commands, { createFiles }]) => {
      reader = { commands, createFiles };
    },
    (error: unknown) => {
      failure = error ?? new Error("what reads effects cannot be loaded");
    },
  );
  return loading;
}

export function areEffectsLoaded(): boolean {
  return reader !== undefined || failure !== undefined;
}

/** What a call does, and the place that path sets are relative to. */
export interface CallEffects {
  /** Absent where the tool is not known. */
  readonly effects: readonly CommandEffect[] | undefined;
  readonly place: PathSetPlace;
}

/** The variables that a line may use. The values of others may be secrets, and what a line does is shown and logged. */
const VARIABLES = ["HOME", "USERPROFILE", "USER", "LOGNAME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"];

const known = new WeakMap<EventContext<EventName>, CallEffects>();

/** What a call does. It is read once for a context, so that all hooks of a dispatch share it. Effects must be loaded. */
export function effectsOfCall(context: unknown, payload: object): CallEffects {
  if (!(context instanceof EventContext)) return readEffects(payload, undefined);
  const before = known.get(context);
  if (before !== undefined) return before;
  const effects = readEffects(context.payload, runContextOf(context).options?.effectsOf);
  known.set(context, effects);
  return effects;
}

/** The same for a call that is not in a dispatch. */
export function readEffects(payload: object, effectsOf: EffectsOf | undefined): CallEffects {
  if (reader === undefined) throw failure ?? new Error("what reads effects is not loaded yet");
  const { commands, createFiles } = reader;
  const {
    toolName = "",
    toolAliases,
    toolInput,
    workDir = process.cwd(),
  } = payload as Partial<Payload<"before_tool">>;
  const env = Object.fromEntries(VARIABLES.map((name) => [name, process.env[name]]));
  const home = env.HOME ?? env.USERPROFILE;
  const place = { workDir, home, env, files: createFiles(workDir), effectsOf };
  return { effects: commands.readToolEffects({ toolName, aliases: toolAliases, toolInput }, place), place };
}

/** What a matcher finds in a call; throws for a matcher that is malformed, which is found out when it is made. */
export function effectFinder(init: EffectMatcherInit): (call: CallEffects) => EffectMatch | undefined {
  let compiled: ReturnType<Reader["commands"]["compileEffectMatcher"]> | undefined;
  return ({ effects, place }) => {
    if (effects === undefined || reader === undefined) return undefined;
    compiled ??= reader.commands.compileEffectMatcher(init);
    return reader.commands.matchEffects(compiled, effects, place);
  };
}

/** A match with its words, for hooks and for people. */
export function describeMatch(match: EffectMatch): MatchedEffect {
  return {
    ...match,
    description: reader?.commands.formatEffect(match.effect, match.target) ?? match.effect.name,
  };
}

/** Why a matcher of effects does not match a tool of which nothing is known. */
export function unknownToolHint(toolName: string): string {
  const [like = "Shell"] = canonicalTools(toolName);
  return `what the tool ${toolName} does is not known: effectsOf can say it, as { ${JSON.stringify(toolName)}: "${like}" }`;
}
