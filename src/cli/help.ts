/** Texts of the help pages. @module */

/** Start of `svc --help`. */
export const EXAMPLES = `Examples:
  svc demo                                              see what it does, with no key and no network
  svc proxy                                             start the proxy on port 8787
  ANTHROPIC_BASE_URL=http://127.0.0.1:8787 claude       send Claude Code through it
  OPENAI_BASE_URL=http://127.0.0.1:8787/v1 node app.js  send a program with the OpenAI SDK through it
  svc compress build.log > short.log                    compress one text, no proxy needed
`;

/** Start of `svc proxy --help`. */
export const PROXY_EXAMPLES = `Examples:
  svc proxy                                        listen on 127.0.0.1:8787
  svc proxy --port 9000 --lossless                 another port, reversible forms only
  svc proxy --chat-api-url http://127.0.0.1:11434  OpenAI-compatible upstream on this machine
  svc proxy --stateless                            write no files
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
