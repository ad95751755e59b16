/** The words that signs of failure are made of: what fails, what a state is called, which keys have states as values. @module */
import { WordTable } from "../words.ts";

/** Reports a failure wherever it is no part of a name. */
export const ERROR_WORD = 1;
/** Reports something to look at. */
export const WARNING_WORD = 2;
/** Means a total when a number goes with it. */
export const COUNTED_WORD = 3;
/** An exit code follows. */
export const EXIT_WORD = 4;
/** `HTTP`, before a version or a status. */
export const HTTP_WORD = 5;
/** `fail` in its forms. */
export const FAIL_WORD = 6;
/** `pass` in its forms. */
export const PASS_WORD = 7;
/** Fails in capitals, in brackets, before a sign, or as the value of a level. */
export const LEVEL_WORD = 8;
/** Statuses of HTTP that fail: only with the phrase that belongs to them. */
export const PHRASED_STATUS = 9;
/** Methods of HTTP. */
export const METHOD_WORD = 10;
/** Fails as the value of a key of states, and in cells. */
export const STATE_WORD = 11;
/** Keys of a status or a state. */
export const STATUS_KEY = 12;
/** `code`: of a status, unless its name says what else. */
export const CODE_KEY = 13;
/** Keys of numbers that mean failure unless they are 0. */
export const RESULT_CODE_KEY = 14;
/** Keys of a level. */
export const LEVEL_KEY = 15;
/** What an answer is said to be: `returned 503`. */
export const ANSWER_WORD = 16;
/** Says that a test was not run. */
export const SKIP_WORD = 17;
/** Keys of numbers that fail below 0. */
export const RETURN_KEY = 18;
/** Settings that are called like failures. */
export const LIMIT_WORD = 19;
/** Starts a state that is written in one word, and says nothing alone. */
export const STATE_PART = 20;

/** Starts a phrase that reports a failure. */
export const PHRASE_WORD = 21;

const ERRORS =
  "error errors exception exceptions failing failure failures fatal critical crash crashed crashes panic panicked " +
  "abort aborted aborting denied rejected refused traceback segfault segmentation unhandled uncaught " +
  "killed oom cannot unable corrupt corrupted emergency deadlock violation unauthorized forbidden " +
  "mismatch unreachable unresolved unexpected invalid missing conflict errored unhealthy unavailable " +
  "sigsegv sigkill sigabrt sigbus sigill enoent eacces eperm econnrefused econnreset etimedout epipe enotfound " +
  "eaddrinuse enospc emfile enomem ehostunreach enetunreach eio";
const LIMITS = "timeout timeouts";
const WARNINGS = "warn warning warnings wrn deprecated";
const LEVELS = "err crit severe alert emerg ftl eror";
const COUNTED =
  "tests test suites total passing pending vulnerabilities problems";
const SKIPS = "skipped skip skips ignored todo xfail xfailed xpass xpassed";
const STATES =
  "evicted dead zombie defunct down degraded faulted offline broken backoff restarting blocked lost expired " +
  "nok bad error reject drop dropped deny cancelled canceled timedout";
const PHRASE_WORDS =
  "timed gave giving dumped could too such lockup reset already quota space route pipe permitted busy system handle";
const STATE_PARTS = "off deadline ready pull runcontainer";
const METHODS = "get post put delete patch options head";
/** Statuses that fail and have a phrase. */
const STATUSES =
  "400 401 402 403 404 405 406 408 409 410 411 412 413 414 415 416 417 421 422 423 425 426 428 429 431 451 " +
  "500 501 502 503 504 505 507 508 511";

const STATUS_KEYS =
  "status state result outcome verdict conclusion health response resp";
const RESULT_CODES = "rc errno exitcode returncode retcode";
const LEVEL_KEYS = "level lvl severity loglevel";

/** Finds all words in a text. */
export const VOCABULARY: WordTable = new WordTable([
  ...pairs(ERROR_WORD, ERRORS),
  ...pairs(LIMIT_WORD, LIMITS),
  ...pairs(FAIL_WORD, "fail failed fails"),
  ...pairs(WARNING_WORD, WARNINGS),
  ...pairs(COUNTED_WORD, COUNTED),
  ...pairs(EXIT_WORD, "exit exited"),
  ...pairs(HTTP_WORD, "http"),
  ...pairs(METHOD_WORD, METHODS),
  ...pairs(PASS_WORD, "pass passed ok"),
  ...pairs(LEVEL_WORD, LEVELS),
  ...pairs(PHRASED_STATUS, STATUSES),
  ...pairs(STATUS_KEY, STATUS_KEYS),
  ...pairs(CODE_KEY, "code"),
  ...pairs(RESULT_CODE_KEY, RESULT_CODES),
  ...pairs(LEVEL_KEY, LEVEL_KEYS),
  ...pairs(ANSWER_WORD, "returned responded got received"),
  ...pairs(SKIP_WORD, SKIPS),
  ...pairs(RETURN_KEY, "ret retval"),
  ...pairs(STATE_WORD, STATES),
  ...pairs(STATE_PART, STATE_PARTS),
  ...pairs(PHRASE_WORD, PHRASE_WORDS),
]);

/** States of containers and nodes that are written in one word, in small letters. */
export const JOINED_STATES: ReadonlySet<string> = new Set(
  ("crashloopbackoff imagepullbackoff errimagepull errimageneverpull createcontainerconfigerror " +
    "createcontainererror runcontainererror invalidimagename containercannotrun oomkilled notready " +
    "deadlineexceeded nodelost").split(" "),
);
/** Longest of them, in letters. */
export const LONGEST_STATE = 30;

/** Words before `code` that make it a code of a result. */
export const CODE_OWNERS: ReadonlySet<string> = new Set(
  "status http response resp exit return error err result ret grpc upstream downstream origin elb edge sub reason"
    .split(" "),
);

/** Words of keys, and what kind of key they make. */
export const KEYS: ReadonlyMap<string, number> = new Map([
  ...pairs(STATUS_KEY, STATUS_KEYS),
  ...pairs(CODE_KEY, "code"),
  ...pairs(RESULT_CODE_KEY, `${RESULT_CODES} exit`),
  ...pairs(LEVEL_KEY, LEVEL_KEYS),
  ...pairs(RETURN_KEY, "ret retval"),
]);

/** Values that fail under a key of states, in small letters. */
export const FAILING_STATES: ReadonlySet<string> = new Set(
  `ko ${STATES} ${ERRORS} ${LEVELS} ${LIMITS} fail failed fails timeout`.split(
    " ",
  ),
);

function pairs(value: number, words: string): [string, number][] {
  return words.split(" ").map((word) => [word, value]);
}
