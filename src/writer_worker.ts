/** Module of the worker that owns every connection that writes. @module */
/// <reference no-default-lib="true" />
/// <reference lib="deno.worker" />
import { startCcrWork } from "./ccr/work.ts";
import { startLedgerWork } from "./ledger/work.ts";
import { serveJobs } from "./writer/serve_jobs.ts";
import type { WriterRequest } from "./writer/writer.ts";

const serve = serveJobs(
  { ccr: startCcrWork, ledger: startLedgerWork },
  (answer) => self.postMessage(answer),
);

self.onmessage = ({ data }: MessageEvent<WriterRequest>) => serve(data);
