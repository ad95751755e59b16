/** The worker's side: jobs of several databases, one after the other. @module */
import { errorMessage } from "../core/errors.ts";
import type { WriterAnswer, WriterRequest } from "./writer.ts";

/** One open database in the worker. */
export interface DatabaseWork {
  /** Does one job and returns its result. Throws what the database throws. */
  perform(job: unknown): unknown;
  /** Called after the job was answered, so that nobody waits for it. Absorbs its failures with `attempt`. */
  afterwards(job: unknown): void;
  /** Closes the database. */
  close(): void;
}

/** Runs work whose failure costs nothing but space: it is reported, and tried again after a later job. */
export type Attempt = (work: () => void) => void;

/**
 * Prepares the work on one database.
 *
 * @param settings What the server thread said about it.
 * @param attempt For housekeeping.
 */
export type StartWork = (settings: unknown, attempt: Attempt) => DatabaseWork;

/**
 * Makes what answers the requests to the worker.
 *
 * @param works By the name of the database.
 * @param post Sends an answer to the server thread.
 */
export function serveJobs(
  works: Readonly<Record<string, StartWork>>,
  post: (answer: WriterAnswer) => void,
): (request: WriterRequest) => void {
  const open = new Map<string, DatabaseWork>();
  const workOf = (database: string) => {
    const work = open.get(database);
    if (work === undefined) {
      throw new Error("Cannot write before the settings are known");
    }
    return work;
  };
  const answer = (id: number, perform: () => unknown): boolean => {
    try {
      post({ type: "done", id, result: perform() });
      return true;
    } catch (error) {
      post({ type: "refused", id, reason: errorMessage(error) });
      return false;
    }
  };
  return (request) => {
    const { database } = request;
    switch (request.type) {
      case "settings": {
        const start = works[database];
        if (start === undefined) return;
        open.set(database, start(request.settings, reporting(database, post)));
        return;
      }
      case "job": {
        const { id, job } = request;
        const done = answer(id, () => workOf(database).perform(job));
        if (done) workOf(database).afterwards(job);
        return;
      }
      case "close":
        answer(request.id, () => {
          open.get(database)?.close();
          open.delete(database);
        });
    }
  };
}

/** Runs work on a database; a failure is posted. */
function reporting(
  database: string,
  post: (answer: WriterAnswer) => void,
): Attempt {
  return (work) => {
    try {
      work();
    } catch (error) {
      post({ type: "sweep_failed", database, reason: errorMessage(error) });
    }
  };
}
