import type { RunDetail, RunEvent } from "@tenterhook/protocol/runs";
import { currentRun } from "./current-run.ts";
import { type FollowOptions, followEvents } from "./follow-events.ts";
import { followRun, type RunEventsOptions, readStoredEvents } from "./follow-run.ts";
import {
  AccessRequests,
  AgentRequests,
  ApprovalRequests,
  CoordinatorRequests,
  EventRequests,
  HookRequests,
  RunnerRequests,
  RunRequests,
  SessionRequests,
  TokenRequests,
  TrialRequests,
  WebhookKeyRequests,
} from "./generated/requests.ts";
import { type ClientOptions, HttpClient } from "./http-client.ts";

/** Runs, with what needs several requests. */
export class Runs extends RunRequests {
  /**
   * The events of a run, from the first or after a number, until it ends. They come in order and once, also when the connection is lost.
   * The loop ends early, without an error, when the signal fires.
   */
  events(id: string, options: RunEventsOptions = {}): AsyncGenerator<RunEvent> {
    return followRun(this.client, id, options);
  }

  /** The events of a run until now. */
  storedEvents(id: string, options: Omit<RunEventsOptions, "onConnection"> = {}): AsyncGenerator<RunEvent> {
    return readStoredEvents(this.client, id, options);
  }

  /** Waits until a run has ended, and reads it. Rejects with the signal's reason when that fires before. */
  async wait(id: string, { signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<RunDetail> {
    for await (const _ of this.events(id, { signal })) {
      // Only the end counts.
    }
    signal?.throwIfAborted();
    return this.read(id, { signal });
  }
}

/** Events, with the stream of new ones. */
export class Events extends EventRequests {
  /** The events of all runs as they happen, until the signal fires. A lost connection is reopened after the last event. */
  follow(options: FollowOptions = {}): AsyncGenerator<RunEvent> {
    return followEvents(this.client, options);
  }
}

/** A client of a coordinator: one field for each kind of thing, one method for each operation of the API. */
export class TenterhookClient extends HttpClient {
  readonly runs = new Runs(this);
  readonly events = new Events(this);
  readonly sessions = new SessionRequests(this);
  readonly agents = new AgentRequests(this);
  readonly hooks = new HookRequests(this);
  readonly trials = new TrialRequests(this);
  readonly approvals = new ApprovalRequests(this);
  readonly runners = new RunnerRequests(this);
  readonly tokens = new TokenRequests(this);
  readonly access = new AccessRequests(this);
  readonly webhookKey = new WebhookKeyRequests(this);
  readonly coordinator = new CoordinatorRequests(this);

  constructor(options: ClientOptions) {
    super({ currentRun, ...options });
  }
}
