/** Services that Claude Code can use, and how each is pointed elsewhere. @module */
import type { UpstreamName } from "./agent.ts";
import type { FoundAddress } from "./user_address.ts";

/** A variable as Claude Code sees it. */
export interface SeenVariable {
  readonly text: string;
  /** Where it stands. */
  readonly from: string;
  /** Whether that is a file, which wins over the environment. */
  readonly isFile: boolean;
  /** Whether svc wrote it. */
  readonly isKept: boolean;
}

/** Looks a variable up. */
export type SeeVariable = (name: string) => SeenVariable | undefined;

/** How a service is pointed to the proxy. */
export interface ServicePointing {
  /** Variables to set; an empty one counts as not set. */
  readonly variables: Readonly<Record<string, string>>;
  /** What they replace; `undefined` for nothing. */
  readonly found: FoundAddress | undefined;
}

/** A service. */
export interface Service {
  /** Variable that chooses it; none for the default. */
  readonly choice?: string;
  /** Its upstream of the proxy. */
  readonly upstream: UpstreamName;
  /** Says what points it to the proxy. */
  point(base: string, see: SeeVariable): ServicePointing;
}

/** Anthropic's own. */
export const DIRECT: Service = {
  upstream: "messages",
  point: (base, see) => ({
    variables: { ANTHROPIC_BASE_URL: base },
    found: foundIn("ANTHROPIC_BASE_URL", see, { upstream: "messages" }),
  }),
};

/** Those that a variable chooses. */
export const CHOSEN: readonly Service[] = [
  {
    choice: "CLAUDE_CODE_USE_VERTEX",
    upstream: "vertex",
    point: (base, see) => ({
      variables: { ANTHROPIC_VERTEX_BASE_URL: `${base}/v1` },
      found: foundIn("ANTHROPIC_VERTEX_BASE_URL", see, {
        upstream: "vertex",
        form: "v1",
      }),
    }),
  },
  {
    choice: "CLAUDE_CODE_USE_FOUNDRY",
    upstream: "foundry",
    point: foundryPointing,
  },
];

/** The path of a resource's address. */
const FOUNDRY_PATH = "/anthropic";

/** The path of the address stays; a resource and an address exclude each other. */
function foundryPointing(base: string, see: SeeVariable): ServicePointing {
  const [variable, name] = [
    "ANTHROPIC_FOUNDRY_BASE_URL",
    "ANTHROPIC_FOUNDRY_RESOURCE",
  ];
  const resource = see(name);
  const address = see(variable);
  const url = URL.parse(address?.text ?? "");
  const path = url?.pathname.replace(/\/+$/, "") ?? FOUNDRY_PATH;
  const found = address === undefined && resource !== undefined
    ? {
      text: `https://${resource.text}.services.ai.azure.com`,
      from: `${name} in ${resource.from}`,
      upstream: "foundry",
      form: "root",
    } as const
    : foundIn(variable, see, { upstream: "foundry" });
  return {
    variables: {
      [variable]: base + (address?.isKept ? FOUNDRY_PATH : path),
      ...resource !== undefined && { [name]: "" },
    },
    found: found && {
      ...found,
      // Its path is in the proxy's address.
      text: withoutPath(found.text),
    },
  };
}

function withoutPath(text: string | undefined): string | undefined {
  const url = URL.parse(text ?? "");
  if (url === null) return text;
  url.pathname = "/";
  return url.href;
}

function foundIn(
  variable: string,
  see: SeeVariable,
  { upstream, form = "root" }: Pick<FoundAddress, "upstream"> & {
    readonly form?: FoundAddress["form"];
  },
): FoundAddress | undefined {
  const present = see(variable);
  if (present === undefined || present.isKept) return undefined;
  const from = `${variable} in ${present.from}`;
  return { text: present.text, from, upstream, form };
}
