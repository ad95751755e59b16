/** What to do when no request came yet. @module */

/** Says how to point a client here. */
export function FirstSteps({ isReachable }: {
  /** Whether the proxy answers. */
  readonly isReachable: boolean;
}) {
  const base = location.origin;
  return (
    <section class="panel" aria-labelledby="first-steps">
      <header>
        <h2 id="first-steps">No requests yet</h2>
        <div class="aside">
          {isReachable
            ? "this page fills itself once one comes"
            : "as of the last answer"}
        </div>
      </header>
      <p>
        {isReachable
          ? "The proxy is running. Point a client at it"
          : "Start the proxy again (svc proxy), then point a client at it"}
        , by its base URL, and use it as before:
      </p>
      <pre>{`# Claude Code
ANTHROPIC_BASE_URL=${base} claude

# Clients of OpenAI-style APIs
OPENAI_BASE_URL=${base}/v1 your-client`}</pre>
    </section>
  );
}
