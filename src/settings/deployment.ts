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

/** Names of deployments: they become names of files, units and tasks, and a part of commands that are shown. */
const PROFILE = /^[a-z0-9][a-z0-9-]{0,31}$/;

/** Whether a text can name a deployment: up to 32 lower-case letters, digits and inner hyphens. */
export function isProfile(text: string): boolean {
  return PROFILE.test(text);
}

/** The deployment that an environment describes; `undefined` without a profile: somebody started the proxy by hand. */
export function deploymentIn(env: TextValues): Deployment | undefined {
  const {
    SVC_DEPLOYMENT_PROFILE: profile = "",
    SVC_DEPLOYMENT_PRESET: preset = "",
    SVC_DEPLOYMENT_RUNTIME: runtime = "",
    SVC_DEPLOYMENT_SUPERVISOR: supervisor = "",
    SVC_DEPLOYMENT_SCOPE: scope = "",
  } = env;
  if (!isProfile(profile)) return undefined;
  return Object.freeze({ profile, preset, runtime, supervisor, scope });
}

/** The variables that describe a deployment. */
export function deploymentVariables(
  deployment: Deployment,
): Record<string, string> {
  const { profile, preset, runtime, supervisor, scope } = deployment;
  return {
    [DEPLOYMENT_VARIABLES.profile]: profile,
    [DEPLOYMENT_VARIABLES.preset]: preset,
    [DEPLOYMENT_VARIABLES.runtime]: runtime,
    [DEPLOYMENT_VARIABLES.supervisor]: supervisor,
    [DEPLOYMENT_VARIABLES.scope]: scope,
  };
}
