import { secret } from "./assignments.ts";
import { creditCard } from "./credit-card.ts";
import { email } from "./email.ts";
import { iban } from "./iban.ts";
import { ipv4, phone, ssn } from "./numbers.ts";
import { privateKey } from "./private-key.ts";
import type { Scan } from "./scan.ts";
import { apiKey, awsAccessKey, bearerToken, githubToken, jwt, slackToken } from "./tokens.ts";

/** What is looked for, by name. Where two find the same, the first one names it. */
export const DETECTORS = {
  private_key: privateKey,
  jwt,
  aws_access_key: awsAccessKey,
  github_token: githubToken,
  slack_token: slackToken,
  api_key: apiKey,
  bearer_token: bearerToken,
  email,
  iban,
  credit_card: creditCard,
  ssn,
  phone,
  ipv4,
  secret,
} as const satisfies Record<string, Scan>;

/** A kind of secret or personal data that is recognised. */
export type DetectorName = keyof typeof DETECTORS;

export const DETECTOR_NAMES = Object.keys(DETECTORS) as readonly DetectorName[];
