/** Texts of the help pages. @module */
import { GRACE_SECONDS } from "./signals.ts";

/** Start of `svc --help`. */
export const EXAMPLES = `Examples:
  svc demo                                              see what it does, with no key and no network
  svc proxy                                             start the proxy on port 8787
  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude       send Claude Code through it
  OPENAI_BASE_URL=http://127.0.0.1:8787/v1 node app.js  send a program with the OpenAI SDK through it
  svc compress build.log > short.log                    compress one text, no proxy needed
  svc log --follow                                      see the requests as they end
  svc show                                              see what was changed in the newest one
  svc savings                                           see what was saved
  svc doctor                                            see whether everything is in place
  svc mcp install                                       give the tools to Claude Code, Codex and OpenCode
`;

/** Start of `svc proxy --help`. */
export const PROXY_EXAMPLES = `Examples:
  svc proxy                                        listen on 127.0.0.1:8787
  svc proxy --port 9000 --lossless                 another port, reversible forms only
  svc proxy --chat-api-url http://127.0.0.1:11434  OpenAI-compatible upstream on this machine
  svc proxy --workers 4                            four processes on the port
  svc proxy --stateless                            write no files but the log
`;

/** End of `svc proxy --help`. */
export const PROXY_NOTES = `
Stored settings are read from settings.json in the workspace (SVC_WORKSPACE_DIR, default ~/.svc), or from
SVC_SETTINGS_PATH: {"budget": 10}. A variable of the environment wins over the file, a flag over both.

Ctrl-C or SIGTERM: no new requests; those that run may end within ${GRACE_SECONDS} s. A second one ends at once.
SIGHUP: settings.json and models.json are read again; new requests use them.
`;

/** Start of `svc compress --help`. */
export const COMPRESS_EXAMPLES = `Examples:
  svc compress build.log > short.log
  npm test 2>&1 | svc compress --query "why does the login test fail"
  grep -rn TODO src | svc compress --tool Grep
`;

/** End of `svc compress --help`. */
export const COMPRESS_NOTES = `
The text may have up to 64 MiB of UTF-8. Where something was left out, the result ends with a marker,
[... Retrieve more: hash=<hash>], and the original is stored in the workspace (SVC_WORKSPACE_DIR,
default ~/.svc) for SVC_CCR_TTL_SECONDS, default 1800. A running proxy with the same workspace
gives it back: curl http://127.0.0.1:8787/v1/retrieve/<hash>
`;

/** Start of `svc demo --help`. */
export const DEMO_EXAMPLES = `Examples:
  svc demo                see what the proxy does, with no key and no network
`;

/** Start of `svc mcp --help`. */
export const MCP_EXAMPLES = `Examples:
  svc mcp install --dry-run    show what would be changed in the files of Claude Code, Codex and OpenCode
  svc mcp install              register the server with those of them that are here
  svc mcp status               say where it is registered, and whether it starts
  svc mcp uninstall            take out what install registered
`;

/** Start of `svc mcp serve --help`. */
export const MCP_SERVE_EXAMPLES = `Examples:
  svc mcp serve                                      what agents start: requests on stdin, answers on stdout
  svc mcp serve --proxy-url http://127.0.0.1:9000    ask this proxy for originals that are not in the local store
  svc mcp serve --direct --debug                     ask no proxy; say on stderr what is done
`;

/** Start of `svc mcp install --help`. */
export const MCP_INSTALL_EXAMPLES = `Examples:
  svc mcp install                            all agents that are on this machine
  svc mcp install --agent claude codex       only these
  svc mcp install --dry-run                  show the changes, make none
`;

/** Start of `svc mcp uninstall --help`. */
export const MCP_UNINSTALL_EXAMPLES = `Examples:
  svc mcp uninstall                  everything that svc mcp install registered
  svc mcp uninstall --agent codex    only there
`;

/** Start of `svc mcp status --help`. */
export const MCP_STATUS_EXAMPLES = `Examples:
  svc mcp status           one paragraph per agent
  svc mcp status --json    the same for programs
`;

/** Start of `svc ccr --help`. */
export const CCR_EXAMPLES = `Examples:
  svc ccr list                                      what is kept, the last used first
  svc ccr show ba7816bf8f01cfea414140de             the original behind a marker with this hash
  svc ccr stats                                     how much is kept, and what was asked for again
  svc ccr clear                                     remove what no conversation of the last 30 minutes uses
`;

/** Start of `svc ccr list --help`. */
export const CCR_LIST_EXAMPLES = `Examples:
  svc ccr list --limit 5          the last five
  svc ccr list --json             for programs
`;

/** Start of `svc ccr show --help`. */
export const CCR_SHOW_EXAMPLES = `Examples:
  svc ccr show ba7816bf > build.log             the whole original; the first digits are enough
  svc ccr show ba7816bf --lines 41-80           forty lines of it
  svc ccr show ba7816bf --query "timeout"       what the words are found in
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
  svc ccr clear --all        everything, also what running conversations rely on
`;
