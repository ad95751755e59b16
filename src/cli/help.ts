/** Texts of the help pages. @module */
import { GRACE_SECONDS } from "./signals.ts";

/** Start of `svc --help`. */
export const EXAMPLES = `Examples:
  svc demo                              see it at work: no key, no network
  svc proxy                             start the proxy on port 8787
  svc log --follow                      list requests as they finish
  svc show                              see what was changed in the last one
  svc savings                           see what was saved
  svc doctor                            check that everything works
  svc mcp install                       add the tools to your agents
  svc compress build.log > short.log    compress one text, without a proxy

Send a client through the proxy:
  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude
  OPENAI_BASE_URL=http://127.0.0.1:8787/v1 node app.js
`;

/** Start of `svc proxy --help`. */
export const PROXY_EXAMPLES = `Examples:
  svc proxy                           listen on 127.0.0.1:8787
  svc proxy --port 9000 --lossless    another port, lossless rewrites only
  svc proxy --workers 4               four processes on the port
  svc proxy --stateless               write no files except the log
  svc proxy --chat-api-url http://127.0.0.1:11434
                                      an OpenAI-compatible upstream here
`;

/** End of `svc proxy --help`. */
export const PROXY_NOTES = `
Settings are also read from settings.json in the workspace (SVC_WORKSPACE_DIR,
default ~/.svc), or from SVC_SETTINGS_PATH, e.g. {"budget": 10}. An environment
variable overrides the file, and a flag overrides both.

Ctrl-C or SIGTERM: accept no new requests; running ones have ${GRACE_SECONDS} s to finish.
A second one stops at once. SIGHUP: read settings.json and models.json again;
new requests use them.
`;

/** Start of `svc compress --help`. */
export const COMPRESS_EXAMPLES = `Examples:
  svc compress build.log > short.log
  npm test 2>&1 | svc compress --query "why does the login test fail"
  grep -rn TODO src | svc compress --tool Grep
`;

/** End of `svc compress --help`. */
export const COMPRESS_NOTES = `
The text may have up to 64 MiB of UTF-8. Where something was left out, the
result ends with a marker, [... Retrieve more: hash=<hash>], and the original is
stored in the workspace (SVC_WORKSPACE_DIR, default ~/.svc) for
SVC_CCR_TTL_SECONDS, default 1800. To get it back: svc ccr show <hash>, or from
a running proxy curl http://127.0.0.1:8787/v1/retrieve/<hash>
`;

/** Start of `svc demo --help`. */
export const DEMO_EXAMPLES = `Examples:
  svc demo                see what the proxy does, with no key and no network
`;

/** Start of `svc mcp --help`. */
export const MCP_EXAMPLES = `Examples:
  svc mcp install --dry-run    show the changes to the agents' files, make none
  svc mcp install              register the server with the installed agents
  svc mcp status               show where it is registered, and if it starts
  svc mcp uninstall            remove what install registered
`;

/** Start of `svc mcp serve --help`. */
export const MCP_SERVE_EXAMPLES = `Examples:
  svc mcp serve                     what agents start: MCP on stdin and stdout
  svc mcp serve --direct --debug    ask no proxy; log each step to stderr
  svc mcp serve --proxy-url http://127.0.0.1:9000
                                    ask this proxy for what is not stored here
`;

/** Start of `svc mcp install --help`. */
export const MCP_INSTALL_EXAMPLES = `Examples:
  svc mcp install                        all installed agents
  svc mcp install --agent claude codex   only these
  svc mcp install --dry-run              show the changes, make none
`;

/** Start of `svc mcp uninstall --help`. */
export const MCP_UNINSTALL_EXAMPLES = `Examples:
  svc mcp uninstall                  everything that svc mcp install registered
  svc mcp uninstall --agent codex    only with this agent
`;

/** Start of `svc mcp status --help`. */
export const MCP_STATUS_EXAMPLES = `Examples:
  svc mcp status           one paragraph per agent
  svc mcp status --json    the same for programs
`;

/** Start of `svc ccr --help`. */
export const CCR_EXAMPLES = `Examples:
  svc ccr list             what is stored, the last used first
  svc ccr show ba7816bf    the original with this hash, as named in a marker
  svc ccr stats            how much is stored, and what was retrieved
  svc ccr clear            remove what no recent conversation uses
`;

/** Start of `svc ccr list --help`. */
export const CCR_LIST_EXAMPLES = `Examples:
  svc ccr list --limit 5          the last five
  svc ccr list --json             for programs
`;

/** Start of `svc ccr show --help`. */
export const CCR_SHOW_EXAMPLES = `Examples:
  svc ccr show ba7816bf > build.log          the whole original
  svc ccr show ba7816bf --lines 41-80        forty lines of it
  svc ccr show ba7816bf --query "timeout"    only the parts with these words
`;

/** Start of `svc ccr stats --help`. */
export const CCR_STATS_EXAMPLES = `Examples:
  svc ccr stats             as text
  svc ccr stats --json      for programs
`;

/** Start of `svc ccr clear --help`. */
export const CCR_CLEAR_EXAMPLES = `Examples:
  svc ccr clear --dry-run    say what would be removed
  svc ccr clear              what no conversation of the last 30 minutes uses
  svc ccr clear --all        everything, even what running conversations need
`;

/** Start of `svc install --help`. */
export const INSTALL_EXAMPLES = `Examples:
  svc install apply --dry-run    show what would be written and run
  svc install apply              start the proxy now and at each login
  svc install status             say whether it runs
  svc install remove             stop it and take everything away again
`;

/** End of `svc install --help`. */
export const INSTALL_NOTES = `
Linux: a systemd unit. macOS: a launchd agent. Windows: a scheduled task.
--platform container: a Docker container with its files in a volume. The service
restarts after a failure, logs to the proxy log of the workspace, and reads
stored settings (svc config set), not the variables of this shell.
`;
