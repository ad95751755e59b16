/** Names of settings of memories, which this version does not have. @module */
import { choiceRow, integerRow, switchRow, textRow } from "./row_kinds.ts";

const memoryBackend = choiceRow({
  env: "SVC_MEMORY_BACKEND",
  group: "Memory",
  available: false,
  fallback: "local",
  choices: ["local", "qdrant-neo4j"],
  doc: "Where memories are kept.",
});

const memoryDbPath = textRow({
  env: "SVC_MEMORY_DB_PATH",
  group: "Memory",
  available: false,
  flag: "memory-db-path",
  placeholder: "<path>",
  fallback: "",
  doc: "Database of memories.",
});

const memoryProjectRoot = textRow({
  env: "SVC_MEMORY_PROJECT_ROOT",
  group: "Memory",
  available: false,
  flag: "memory-project-root",
  placeholder: "<path>",
  fallback: "",
  doc: "Directory of the project that memories belong to.",
});

const noMemoryTools = switchRow({
  env: "SVC_NO_MEMORY_TOOLS",
  group: "Memory",
  tier: "basic",
  available: false,
  flag: "no-memory-tools",
  fallback: false,
  doc: "Whether the model gets no tools for memories.",
});

const noMemoryContext = switchRow({
  env: "SVC_NO_MEMORY_CONTEXT",
  group: "Memory",
  tier: "basic",
  available: false,
  flag: "no-memory-context",
  fallback: false,
  doc: "Whether requests get no memories.",
});

const memoryTopK = integerRow({
  env: "SVC_MEMORY_TOP_K",
  group: "Memory",
  available: false,
  flag: "memory-top-k",
  placeholder: "<number>",
  fallback: 10,
  min: 1,
  max: 100,
  doc: "Memories that a request gets at most.",
});

const minEvidence = integerRow({
  env: "SVC_MIN_EVIDENCE",
  group: "Memory",
  available: false,
  flag: "min-evidence",
  placeholder: "<number>",
  fallback: undefined,
  min: 1,
  doc: "Times that something must be seen before it is learned.",
});

/** Rows of the registry; each has `available: false`. */
export const PLANNED_MEMORY_ROWS = {
  memoryBackend,
  memoryDbPath,
  memoryProjectRoot,
  noMemoryTools,
  noMemoryContext,
  memoryTopK,
  minEvidence,
} as const;
