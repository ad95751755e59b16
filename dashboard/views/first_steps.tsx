/** What to do when no request came yet. @module */
import { CopyLine } from "../parts/copy_line.tsx";
import { Panel } from "../parts/panel.tsx";

/** A client, and what makes it use the proxy. */
interface Client {
  readonly name: string;
  readonly how: string;
  readonly text: string;
}

/** Port that `svc wrap` takes when it is told of none. */
const USUAL_PORT = "8787";

/** Commands that start agents with a proxy of this machine; none for the page of another machine. */
export function wrapsOf(base: string): readonly Client[] {
  const { hostname, port } = new URL(base);
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return [];
  const flag = port === USUAL_PORT ? "" : ` --port ${port || "80"}`;
  return [
    { name: "Claude Code", how: "", text: `svc wrap claude${flag}` },
    { name: "Codex", how: "", text: `svc wrap codex${flag}` },
    { name: "OpenCode", how: "", text: `svc wrap opencode${flag}` },
  ];
}

/** Settings that lead to a proxy at `base`. */
export function clientsOf(base: string): readonly Client[] {
  return [
    {
      name: "Claude Code",
      how: "in a shell",
      text: `ANTHROPIC_BASE_URL=${base} claude`,
    },
    {
      name: "Codex",
      how: "in a shell, with its login",
      text:
        `codex -c model_provider=svc -c 'model_providers.svc={name="svc",base_url="${base}/v1",wire_api="responses",requires_openai_auth=true}'`,
    },
    {
      name: "OpenCode",
      how: "in opencode.json; the /v1 is needed",
      text: `{
  "provider": {
    "anthropic": { "options": { "baseURL": "${base}/v1" } },
    "openai": { "options": { "baseURL": "${base}/v1" } }
  }
}`,
    },
    {
      name: "Anthropic SDK, JavaScript and Python",
      how: "before your program starts; no /v1",
      text: `export ANTHROPIC_BASE_URL=${base}`,
    },
    {
      name: "OpenAI SDK, JavaScript and Python",
      how: "before your program starts; with /v1",
      text: `export OPENAI_BASE_URL=${base}/v1`,
    },
  ];
}

/** Says how to point a client here. */
export function FirstSteps({ isReachable }: {
  /** Whether the proxy answers. */
  readonly isReachable: boolean;
}) {
  const wraps = wrapsOf(location.origin);
  return (
    <Panel
      title="No requests yet"
      aside={isReachable
        ? "this page fills itself once one comes"
        : "as of the last answer"}
    >
      <p>
        {isReachable
          ? "The proxy is running. Start an agent with it"
          : "Start the proxy again (svc proxy), then start an agent with it"}
        {" "}
        and use it as before. Keys and logins stay in the client.
      </p>
      <Lines clients={wraps} />
      {wraps.length > 0 && (
        <p>
          Other agents in the same way; <code>svc wrap --help</code>{" "}
          lists them. Or set the address yourself:
        </p>
      )}
      <Lines
        clients={clientsOf(location.origin)}
        suffix={wraps.length > 0 ? ", address" : ""}
      />
    </Panel>
  );
}

/** One section per client. `suffix` tells those of two lists apart, where nobody sees the page. */
function Lines({ clients, suffix = "" }: {
  readonly clients: readonly Client[];
  readonly suffix?: string;
}) {
  return (
    <div class="clients">
      {clients.map(({ name, how, text }) => (
        <section key={name} aria-label={name + suffix}>
          <h3>
            {name} <span class="soft">{how}</span>
          </h3>
          <CopyLine name={name + suffix} text={text} />
        </section>
      ))}
    </div>
  );
}
