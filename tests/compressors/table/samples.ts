/** Golden files and made-up tables for the tests of the tabular compressor. @module */
import type { CompressContext } from "../../../src/core/compressor.ts";
import { tableKind } from "../../../src/compressors/table/kind.ts";
import type { Table } from "../../../src/compressors/table/layout.ts";
import aptList from "../../golden/table/apt_list.txt" with { type: "text" };
import csvLatency from "../../golden/table/csv_latency.txt" with {
  type: "text",
};
import foldCsvStock from "../../golden/table/fold_csv_stock.txt" with {
  type: "text",
};
import foldDockerPs from "../../golden/table/fold_docker_ps.txt" with {
  type: "text",
};
import foldDpkg from "../../golden/table/fold_dpkg.txt" with { type: "text" };
import foldLsRecursive from "../../golden/table/fold_ls_recursive.txt" with {
  type: "text",
};
import foldMarkdown from "../../golden/table/fold_markdown.txt" with {
  type: "text",
};
import foldMarkdownSettings from "../../golden/table/fold_markdown_settings.txt" with {
  type: "text",
};
import foldMysqlIndex from "../../golden/table/fold_mysql_index.txt" with {
  type: "text",
};
import foldPsAux from "../../golden/table/fold_ps_aux.txt" with {
  type: "text",
};
import foldPsqlOrders from "../../golden/table/fold_psql_orders.txt" with {
  type: "text",
};
import foldSqliteBox from "../../golden/table/fold_sqlite_box.txt" with {
  type: "text",
};
import foldTsvLicenses from "../../golden/table/fold_tsv_licenses.txt" with {
  type: "text",
};
import kubectlPods from "../../golden/table/kubectl_pods.txt" with {
  type: "text",
};
import lsLong from "../../golden/table/ls_long.txt" with { type: "text" };
import pipList from "../../golden/table/pip_list.txt" with { type: "text" };
import psAux from "../../golden/table/ps_aux.txt" with { type: "text" };
import psqlOrders from "../../golden/table/psql_orders.txt" with {
  type: "text",
};
import top from "../../golden/table/top.txt" with { type: "text" };
import csvAgents from "../../golden/table/csv_agents.txt" with {
  type: "text",
};
import jestCoverage from "../../golden/table/jest_coverage.txt" with {
  type: "text",
};
import systemctl from "../../golden/table/systemctl.txt" with {
  type: "text",
};
import df from "../../golden/table/df.txt" with {
  type: "text",
};

/** An input and what the compressor makes of it. */
export interface Golden {
  /** Name of the file; one that starts with `fold_` may not be elided. */
  readonly name: string;
  readonly input: string;
  readonly expected: string;
}

/** All golden pairs. */
export const GOLDENS: readonly Golden[] = Object.entries({
  apt_list: aptList,
  csv_latency: csvLatency,
  systemctl: systemctl,
  jest_coverage: jestCoverage,
  csv_agents: csvAgents,
  fold_csv_stock: foldCsvStock,
  fold_docker_ps: foldDockerPs,
  fold_dpkg: foldDpkg,
  fold_ls_recursive: foldLsRecursive,
  fold_markdown: foldMarkdown,
  fold_markdown_settings: foldMarkdownSettings,
  fold_mysql_index: foldMysqlIndex,
  fold_ps_aux: foldPsAux,
  fold_psql_orders: foldPsqlOrders,
  fold_sqlite_box: foldSqliteBox,
  fold_tsv_licenses: foldTsvLicenses,
  kubectl_pods: kubectlPods,
  ls_long: lsLong,
  pip_list: pipList,
  ps_aux: psAux,
  psql_orders: psqlOrders,
  top: top,
  df: df,
}).map(([name, file]) => {
  const at = file.indexOf("\n-----\n");
  return {
    name,
    input: file.slice(0, at + 1),
    expected: file.slice(at + "\n-----\n".length),
  };
});

/** The input of a golden file. */
export function inputOf(name: string): string {
  return GOLDENS.find((golden) => golden.name === name)!.input;
}

/** A context; three characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 3),
  };
}

/** The first table of a text. */
export function tableOf(text: string): Table {
  return tableKind.parse(text, {})!.tables[0]!;
}

/** Lines of CSV about orders, the header first. */
export function orderLines(count: number): string[] {
  const states = ["paid", "paid", "shipped", "open"];
  const rows = Array.from(
    { length: count },
    (_, i) =>
      `${70_000 + i},C-${(i * 37) % 211},${20 + (i * 7) % 60}.50,EUR,${
        states[(i * 7 + (i >> 3)) % 4]
      },2026-03-0${1 + i % 9}`,
  );
  return ["order_id,customer,amount,currency,status,placed", ...rows];
}

/** Lines of `kubectl get pods`, the header first. */
export function podLines(count: number): string[] {
  const rows = Array.from({ length: count }, (_, i) => [
    `api-${(i * 7919 + 4096).toString(16)}-x${i % 10}`,
    "1/1",
    "Running",
    `${i % 3}`,
    `${1 + i % 9}d`,
  ]);
  return padded([["NAME", "READY", "STATUS", "RESTARTS", "AGE"], ...rows]);
}

/** Rows with three blanks between columns that are pushed to the left. */
export function padded(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]!.map((_, j) =>
    Math.max(...rows.map((row) => row[j]!.length))
  );
  return rows.map((row) =>
    row.map((cell, j) => cell.padEnd(widths[j]!)).join("   ").trimEnd()
  );
}
