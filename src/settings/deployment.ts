/** What whoever starts the proxy says of the deployment: variables, which no file holds. @module */
import type { Deployment } from "../core/deployment.ts";
import type { TextValues } from "./row.ts";

/** The variable of each fact. */
export const DEPLOYMENT_VARIABLES: Readonly<Record<keyof Deployment, string>> =
  {
    profile: "SVC_DEPLOYMENT_PROFILE",
    preset: "SVC_DEPLOYMENT_PRESET",
    runtime: "SVC_DEPLOYMENT_RUNTIME",
    supervisor: "SVC_DEPLOYMENT_SUPERVISOR",
    scope: "SVC_DEPLOYMENT_SCOPE",
  };

// The record has a member for each.
const FACTS = Object.keys(DEPLOYMENT_VARIABLES) as (keyof Deployment)[];

/** Names of deployments: they become names of files, units and tasks, and a part of commands that are shown. */
const PROFILE = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Whether a text can name a deployment: up to 32 lower-case letters, digits and inner hyphens. */
export function isProfile(text: string): boolean {
  return PROFILE.test(text);
}

/** The deployment that an environment describes; `undefined` without a profile: somebody started the proxy by hand. */
export function deploymentIn(env: TextValues): Deployment | undefined {
  if (!isProfile(env[DEPLOYMENT_VARIABLES.profile] ?? "")) return undefined;
  const facts = FACTS.map((
    fact,
  ) => [fact, env[DEPLOYMENT_VARIABLES[fact]] ?? ""]);
  return Object.freeze(Object.fromEntries(facts));
}

/** The variables that describe a deployment. */
export function deploymentVariables(
  deployment: Deployment,
): Record<string, string> {
  return Object.fromEntries(
    FACTS.map((fact) => [DEPLOYMENT_VARIABLES[fact], deployment[fact]]),
  );
}
