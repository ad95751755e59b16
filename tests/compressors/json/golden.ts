/** Texts of tools and the forms they must get: what stands before and after a line of dashes. @module */
import commandOutput from "../../golden/json/command_output.txt" with {
  type: "text",
};
import dbRows from "../../golden/json/db_rows.txt" with { type: "text" };
import githubIssues from "../../golden/json/github_issues.txt" with {
  type: "text",
};
import githubIssuesLossless from "../../golden/json/github_issues_lossless.txt" with {
  type: "text",
};
import jsonLinesLogs from "../../golden/json/json_lines_logs.txt" with {
  type: "text",
};
import kubectlPods from "../../golden/json/kubectl_pods.txt" with {
  type: "text",
};
import metricsRange from "../../golden/json/metrics_range.txt" with {
  type: "text",
};
import nestedConfig from "../../golden/json/nested_config.txt" with {
  type: "text",
};
import npmLs from "../../golden/json/npm_ls.txt" with { type: "text" };
import packageJson from "../../golden/json/package_json.txt" with {
  type: "text",
};
import packageLock from "../../golden/json/package_lock.txt" with {
  type: "text",
};
import denoLock from "../../golden/json/deno_lock.txt" with { type: "text" };
import searchApi from "../../golden/json/search_api.txt" with { type: "text" };
import testReport from "../../golden/json/test_report.txt" with {
  type: "text",
};
import cargoMetadata from "../../golden/json/cargo_metadata.txt" with {
  type: "text",
};
import goList from "../../golden/json/go_list.txt" with { type: "text" };
import eslint from "../../golden/json/eslint.txt" with { type: "text" };
import kubectlDeployments from "../../golden/json/kubectl_deployments.txt" with {
  type: "text",
};
import lscpuLossless from "../../golden/json/lscpu_lossless.txt" with {
  type: "text",
};
import pipListCutOff from "../../golden/json/pip_list_cut_off.txt" with {
  type: "text",
};
import readDenoJson from "../../golden/json/read_deno_json.txt" with {
  type: "text",
};
import mcpResult from "../../golden/json/mcp_result.txt" with { type: "text" };
import fileInString from "../../golden/json/file_in_string.txt" with {
  type: "text",
};
import versionsSmall from "../../golden/json/versions_small.txt" with {
  type: "text",
};

const SEPARATOR = "\n-----\n";

/** One pair. */
export interface Golden {
  readonly name: string;
  readonly type: "reformatted" | "elided";
  readonly query: string;
  /** File that the text was read from. */
  readonly path?: string;
  readonly input: string;
  readonly expected: string;
}

/** All pairs. Those of type `reformatted` are made without leave to elide. */
export const GOLDEN: readonly Golden[] = [
  elided("command_output", commandOutput),
  elided("db_rows", dbRows),
  elided(
    "github_issues",
    githubIssues,
    "list the open issues about Windows paths",
  ),
  reformatted("github_issues_lossless", githubIssuesLossless),
  elided("json_lines_logs", jsonLinesLogs),
  elided("kubectl_pods", kubectlPods, "kubectl get pods -o json"),
  elided("metrics_range", metricsRange),
  reformatted("nested_config", nestedConfig),
  reformatted("npm_ls", npmLs),
  reformatted("package_json", packageJson),
  elided("package_lock", packageLock),
  elided("deno_lock", denoLock),
  elided("search_api", searchApi, "how is the cache warmed"),
  elided("test_report", testReport),
  elided("cargo_metadata", cargoMetadata),
  elided("go_list", goList),
  reformatted("mcp_result", mcpResult),
  reformatted("eslint", eslint),
  elided("file_in_string", fileInString),
  reformatted("kubectl_deployments", kubectlDeployments),
  reformatted("lscpu_lossless", lscpuLossless),
  reformatted("pip_list_cut_off", pipListCutOff),
  { ...reformatted("read_deno_json", readDenoJson), path: "deno.json" },
  reformatted("versions_small", versionsSmall),
];

function elided(name: string, file: string, query = ""): Golden {
  return { name, type: "elided", query, ...partsOf(file) };
}

function reformatted(name: string, file: string): Golden {
  return { name, type: "reformatted", query: "", ...partsOf(file) };
}

function partsOf(file: string): { input: string; expected: string } {
  const at = file.indexOf(SEPARATOR);
  return {
    input: file.slice(0, at),
    expected: file.slice(at + SEPARATOR.length, -1),
  };
}
