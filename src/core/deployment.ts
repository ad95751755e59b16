/** How a proxy came to run on its machine, where the system keeps it running. @module */

/** A proxy that is started by the system, as `/health` reports it. */
export interface Deployment {
  /** Name of the deployment, e.g. `default`. */
  readonly profile: string;
  /** Kind of deployment: `persistent-service`, `persistent-task` or `persistent-docker`. */
  readonly preset: string;
  /** What runs the program: `deno` or `docker`. */
  readonly runtime: string;
  /** Who starts it again: `systemd`, `launchd`, `task-scheduler` or `docker`. */
  readonly supervisor: string;
  /** `user` or `system`. */
  readonly scope: string;
}

/** Whether a proxy can start again by itself: one in a container leaves that to its host. */
export function restartsItself(
  deployment: Deployment | undefined,
): boolean {
  return deployment !== undefined && deployment.runtime !== "docker";
}
