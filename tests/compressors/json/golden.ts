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
import searchApi from "../../golden/json/search_api.txt" with { type: "text" };
import testReport from "../../golden/json/test_report.txt" with {
  type: "text",
};

const SEPARATOR = "\n-----\n";

/** One pair. */
export interface Golden {
  readonly name: string;
  readonly type: "reformatted" | "elided";
  readonly query: string;
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
  elided("search_api", searchApi, "how is the cache warmed"),
  elided("test_report", testReport),
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
