import type { RegisterRequest } from "@tenterhook/protocol/runs";
import type { CoordinatorLink } from "../link/coordinator-link.ts";
import { untilAnswered } from "../link/until-answered.ts";

/** The answer to a registration. */
export interface Registered {
  readonly runnerId: string;
  readonly leaseMs: number;
  readonly heartbeatMs: number;
}

/** Registers the runner. With a coordinator that no longer knows it, the runner registers again under the same id. */
export class Registration {
  readonly #link: CoordinatorLink;
  readonly #request: RegisterRequest;
  #current: Registered | undefined;
  #registering: Promise<Registered> | undefined;

  constructor(link: CoordinatorLink, request: RegisterRequest) {
    this.#link = link;
    this.#request = request;
  }

  /** `undefined` before the first registration. */
  get current(): Registered | undefined {
    return this.#current;
  }

  /** Registers, once for all concurrent calls. Rejects when it is refused. */
  renew(signal: AbortSignal): Promise<Registered> {
    this.#registering ??= this.#register(signal).finally(() => {
      this.#registering = undefined;
    });
    return this.#registering;
  }

  async #register(signal: AbortSignal): Promise<Registered> {
    const known = this.#current?.runnerId;
    const request = { ...this.#request, ...(known !== undefined && { runner_id: known }) };
    const answer = await untilAnswered((each) => this.#link.register(request, each), signal);
    this.#current = {
      runnerId: answer.runner_id,
      leaseMs: answer.lease_seconds * 1_000,
      heartbeatMs: answer.heartbeat_seconds * 1_000,
    };
    return this.#current;
  }
}
