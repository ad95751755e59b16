/** What to do when no request came yet. @module */
import { CopyLine } from "../parts/copy_line.tsx";
import { Panel } from "../parts/panel.tsx";

/** A client, and what makes it use the proxy. */
interface Client {
  readonly name: string;
  readonly how: string;
  readonly text: string;
}

/** Lines that work, for a proxy at `base`. */
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
  return (
    <Panel
      title="No requests yet"
      aside={isReachable
        ? "this page fills itself once one comes"
        : "as of the last answer"}
    >
      <p>
        {isReachable
          ? "The proxy is running. Point a client at it"
          : "Start the proxy again (svc proxy), then point a client at it"}{" "}
        and use it as before. Keys and logins stay in the client.
      </p>
      <div class="clients">
        {clientsOf(location.origin).map(({ name, how, text }) => (
          <section key={name} aria-label={name}>
            <h3>
              {name} <span class="soft">{how}</span>
            </h3>
            <CopyLine name={name} text={text} />
          </section>
        ))}
      </div>
    </Panel>
  );
}
