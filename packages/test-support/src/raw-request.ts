/** What is sent, as it is: a body may be anything but JSON. */
export interface RawRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface RawResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/**
 * Sends a request without the project's client, which could not send it: one that is malformed, or has no token. Redirects are not
 * followed, and every status is a result.
 */
export async function sendRaw(url: string, request: RawRequest): Promise<RawResponse> {
  const response = await fetch(url, { ...request, redirect: "manual" });
  return { status: response.status, headers: response.headers, text: await response.text() };
}
