import { withValue } from "../../../src/cli/agents/plan.ts";
import { AGENTS } from "../../../src/cli/agents/registry.ts";
import {
  checkPort,
  checkProxy,
  checkVersion,
  checkWorkspace,
} from "../../../src/cli/doctor/proxy_checks.ts";
import {
  checkDeployments,
  checkEdits,
  checkMcp,
  checkShell,
} from "../../../src/cli/doctor/setup_checks.ts";
import { fileOf, HEALTH, testCheck } from "./world.ts";

const HERE = "http://localhost:8787";
const shell = (ANTHROPIC_BASE_URL: string, OPENAI_BASE_URL = "") => ({
  env: { ANTHROPIC_BASE_URL, OPENAI_BASE_URL },
});

testCheck("checkShell", checkShell, {
  "all lead to the proxy": shell(HERE, `${HERE}/v1`),
  "one leads to the proxy": shell(HERE),
  "none is set": {},
  "past the proxy": shell("https://x.example/secret"),
  "the worst of two": shell("https://x.example/secret", "no secret url"),
  "with /v1": shell(`${HERE}/v1`),
  "https": shell("https://localhost:8787"),
  "another port": shell("http://localhost:1"),
});

const FILE = "/home/a/.claude.json";
const { claude } = AGENTS;
const value = claude.valueOf({ command: ["/opt/svc", "mcp"], env: {} });
const registered = { [FILE]: withValue(claude, "", value) };

testCheck("checkMcp", checkMcp, {
  "registered": { texts: registered, files: { "/opt/svc": fileOf() } },
  "its program is gone": { texts: registered },
  "a file that cannot be read": { texts: { [FILE]: "{" } },
  "not registered": { texts: { [FILE]: "{}" } },
  "no agent": {},
});

const EDITS = "/home/a/.svc/edits/wrap-claude";

testCheck("checkEdits", checkEdits, {
  "none was interrupted": { texts: { [`${EDITS}.json`]: "{}" } },
  "one was interrupted": { texts: { [`${EDITS}.next`]: "{}" } },
  "stateless": { env: { SVC_STATELESS: "1" } },
});

const up = (facts: object = {}) => ({
  answers: { "/health": { ...HEALTH, ...facts }, "/stats": {} },
});
const texts = {
  "/home/a/.svc/edits/install-work.json": "{}",
  "/home/a/.svc/deploy/work/manifest.json":
    '{"profile": "work", "platform": "linux", "scope": "user", "port": 9000}',
};

testCheck("checkDeployments", checkDeployments, {
  "none": {},
  "one that does not run": { texts },
  "one that runs": { texts, ...up({ deployment: { profile: "work" } }) },
  "no home": { env: { HOME: "", SVC_STATELESS: "1" } },
});

const other = { answers: { "/health": "hi" } };
const silent = { machine: { accepts: () => Promise.resolve(true) } };
const PROXIES = { "up": up(), "nobody": {}, "another program": other, silent };

testCheck("checkPort", checkPort, PROXIES);
testCheck("checkProxy", checkProxy, {
  ...PROXIES,
  "a part is not healthy": up({
    status: "unhealthy",
    checks: {
      ...HEALTH.checks,
      ledger: { status: "unhealthy", backend: "sqlite" },
    },
  }),
});
testCheck("checkVersion", checkVersion, {
  ...PROXIES,
  "another version": up({ version: "0.0.1" }),
});

const config = (config: object) => up({ config });
const workspace = "/home/a/.svc";

testCheck("checkWorkspace", checkWorkspace, {
  "the same": config({ workspace }),
  "other settings": config({ workspace, mode: "token" }),
  "another one": config({ workspace: "/b", pid: 7 }),
  "none": config({ workspace: null, stateless: true }),
  "none for both": {
    ...config({ workspace: null }),
    env: { SVC_STATELESS: "1" },
  },
  "one that nobody knows": config({ workspace: "relative" }),
  "a proxy that says nothing": config({}),
  "no proxy": {},
});
