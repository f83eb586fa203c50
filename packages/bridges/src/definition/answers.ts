/** How a fact about a client is known, the surest first. */
export type Evidence =
  /** A test of this repository runs the real client: the `live` part of what is known of the client says which and where. */
  | "live"
  /** Measured with the real client, by hand. */
  | "measured"
  /** Read in the client's source. */
  | "source"
  /** Read in its documentation. */
  | "documented";

/**
 * JSON with holes. A string that is `$reason`, `$context`, `$input`, `$result`, `$note` or `$event` stands for that value; `$event` is the
 * native name. A template that is a string as a whole is printed as text, any other as JSON.
 */
export type Template =
  | string
  | number
  | boolean
  | null
  | readonly Template[]
  | { readonly [key: string]: Template };

/** What the bridge prints and ends with. Only 0 and 2 mean the same thing in more than one client. */
export interface AnswerForm {
  readonly exit: 0 | 2;
  readonly stdout?: Template;
  readonly stderr?: string;
}

/** One way of answering that a client honours at an event. */
export interface Capability extends AnswerForm {
  readonly evidence: Evidence;
}

export interface RewriteCapability extends Capability {
  /** The client takes it as an approval, and does not ask the person. */
  readonly approves: boolean;
  /** `merge`: the new input is merged into the call's own, so that nothing can be removed from it. */
  readonly takes: "whole" | "merge";
}

export interface AskCapability extends Capability {
  /** The template has a place for a changed input, which the person is then asked about. */
  readonly carriesInput: boolean;
}

export interface AfterCapability extends Capability {
  /** The model no longer gets the tool's result. */
  readonly withholds: boolean;
}

/** Shows text to the person. */
export interface NoteCapability extends Capability {
  /** `terminal`: a client that runs without a person at a terminal shows it nowhere. */
  readonly seen: "everywhere" | "terminal";
  /** It is printed as a line of its own, before the rest of the answer. */
  readonly isOwnLine?: true;
}

/**
 * The answers that a client honours at one of its events. Any other answer is ignored, or makes the client ignore the rest of the
 * answer.
 */
export interface Capabilities {
  /** Refuses the action, or keeps an agent running that is about to stop. */
  readonly block?: Capability;
  /** A reason that reaches the model after a tool ran. */
  readonly blockAfter?: AfterCapability;
  /** Asks the person. */
  readonly ask?: AskCapability;
  /** Changes the input of a call. */
  readonly rewrite?: RewriteCapability;
  /** Replaces the result of a tool. */
  readonly result?: Capability;
  /** Adds text for the model. */
  readonly context?: Capability;
  /** Shows text to the person. */
  readonly note?: NoteCapability;
}
