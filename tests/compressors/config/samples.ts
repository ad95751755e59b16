/** Golden inputs and generated configurations for the tests of configurations. @module */
import cargoLock from "../../golden/config/cargo_lock.txt" with {
  type: "text",
};
import foldCiWorkflow from "../../golden/config/fold_ci_workflow.txt" with {
  type: "text",
};
import foldCompose from "../../golden/config/fold_compose.txt" with {
  type: "text",
};
import foldK8sManifest from "../../golden/config/fold_k8s_manifest.txt" with {
  type: "text",
};
import foldPyproject from "../../golden/config/fold_pyproject.txt" with {
  type: "text",
};
import gemfileLock from "../../golden/config/gemfile_lock.txt" with {
  type: "text",
};
import goSum from "../../golden/config/go_sum.txt" with { type: "text" };
import helmValues from "../../golden/config/helm_values.txt" with {
  type: "text",
};
import jsonPiece from "../../golden/config/json_piece.txt" with {
  type: "text",
};
import kubectlPods from "../../golden/config/kubectl_pods.txt" with {
  type: "text",
};
import nginxConf from "../../golden/config/nginx_conf.txt" with {
  type: "text",
};
import openapi from "../../golden/config/openapi.txt" with { type: "text" };
import pnpmLock from "../../golden/config/pnpm_lock.txt" with { type: "text" };
import redisConf from "../../golden/config/redis_conf.txt" with {
  type: "text",
};
import tsconfig from "../../golden/config/tsconfig.txt" with { type: "text" };
import unchanged from "../../golden/config/unchanged.txt" with { type: "text" };
import uvLock from "../../golden/config/uv_lock.txt" with { type: "text" };
import yarnLock from "../../golden/config/yarn_lock.txt" with { type: "text" };
import type { CompressContext } from "../../../src/core/compressor.ts";
import { type Golden, goldensOf } from "../goldens.ts";

/** All golden files; one whose name starts with `fold_` is for a context that may not elide. */
export const GOLDENS: readonly Golden[] = goldensOf({
  cargo_lock: cargoLock,
  fold_ci_workflow: foldCiWorkflow,
  fold_compose: foldCompose,
  fold_k8s_manifest: foldK8sManifest,
  fold_pyproject: foldPyproject,
  gemfile_lock: gemfileLock,
  go_sum: goSum,
  helm_values: helmValues,
  json_piece: jsonPiece,
  kubectl_pods: kubectlPods,
  nginx_conf: nginxConf,
  openapi: openapi,
  pnpm_lock: pnpmLock,
  redis_conf: redisConf,
  tsconfig: tsconfig,
  unchanged: unchanged,
  uv_lock: uvLock,
  yarn_lock: yarnLock,
});

/** The input of a golden file. */
export function inputOf(name: string): string {
  return GOLDENS.find((golden) => golden.name === name)!.input;
}

/** A context; four characters count as a token. */
export function contextOf(mayElide: boolean, query = ""): CompressContext {
  return {
    query,
    mayElide,
    countTokens: (text) => Math.ceil(text.length / 4),
  };
}

/** A YAML list of maps, each of 6 lines, below `hosts:`; all alike but for names and numbers. */
export function hostLines(count: number): string[] {
  const hosts = Array.from({ length: count }, (_, i) => [
    `  - name: host-${i}`,
    `    address: 10.0.${i >> 8}.${i & 255}`,
    `    role: ${["web", "db", "queue"][i % 3]}`,
    "    limits:",
    `      memory: ${256 * (1 + i % 5)}Mi`,
    "    enabled: true",
  ]);
  return ["version: 3", "hosts:", ...hosts.flat(), "done: yes"];
}
