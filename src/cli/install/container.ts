/** Any system with Docker: a container, described by a Compose file. @module */
import { join } from "node:path";
import { usageFailure } from "../failure.ts";
import { type Service, type ServicePlatform, STOP_SECONDS } from "./service.ts";

/** How Docker keeps a proxy running: its files are in a volume, and only this machine reaches it. */
export const CONTAINER: ServicePlatform = {
  preset: "persistent-docker",
  runtime: "docker",
  supervisor: "docker",
  path: ({ directory }) => join(directory, "compose.yaml"),
  text: composeText,
  commands(service) {
    const compose = (...words: readonly string[]) => [
      ...["docker", "compose", "--file", CONTAINER.path(service)],
      ...words,
    ];
    return {
      enable: [],
      start: [compose("up", "--detach")],
      stop: [compose("stop")],
      restart: [compose("up", "--detach", "--force-recreate")],
      disable: [compose("down")],
      forget: [],
    };
  },
  absent: /no such (container|service)/i,
  why: (service) => `docker compose --file ${CONTAINER.path(service)} logs`,
};

/** Values are JSON, which YAML includes; a dollar sign begins a variable. */
function composeText({ profile, sources, env }: Service): string {
  if (sources === undefined) {
    throw usageFailure(
      "Cannot build an image: this program came without its sources; run svc from a checkout",
    );
  }
  const value = (text: string) => JSON.stringify(text).replaceAll("$", "$$$$");
  const variables = Object.entries(env)
    .map(([name, text]) => `      ${name}: ${value(text)}\n`).join("");
  return `# svc in a container: docker compose up --detach
name: svc-${profile}
services:
  proxy:
    image: svc:local
    build: ${value(sources)}
    # An image of that name from a registry would be a stranger's.
    pull_policy: build
    # The proxy listens on the loopback address of the machine: nobody else reaches it.
    network_mode: host
    restart: unless-stopped
    init: true
    read_only: true
    tmpfs: [/tmp]
    cap_drop: [ALL]
    security_opt: ["no-new-privileges:true"]
    stop_grace_period: ${STOP_SECONDS}s
    volumes: ["data:/data"]
    environment:
${variables}volumes:
  data: {}
`;
}
