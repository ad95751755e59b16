/** Which numbers mean failure: statuses of HTTP, exit codes, numbered levels, priorities. @module */

const LEAST_STATUS = 100;
const LEAST_FAILING = 400;
const LEAST_SERVER_ERROR = 500;
const STATUS_END = 600;
/** Levels of pino and bunyan. */
const LEAST_ERROR_LEVEL = 50;
const WARNING_LEVEL = 40;
const MOST_LEVEL = 60;
/** Priorities of syslog are facilities times 8 and severities; up to this one they are errors. */
const SYSLOG_ERROR = 3;
const SYSLOG_WARNING = 4;
const MOST_PRIORITY = 191;

/** Whether a number is a status of HTTP at all. */
export function isStatus(value: number): boolean {
  return value >= LEAST_STATUS && value < STATUS_END;
}

/** Whether a status of HTTP says that a request failed: 400 to 599. */
export function isFailingStatus(value: number): boolean {
  return value >= LEAST_FAILING && value < STATUS_END;
}

/** Whether a status of HTTP says that the request was refused, not that the server failed: 400 to 499. */
export function isRefusal(value: number): boolean {
  return value >= LEAST_FAILING && value < LEAST_SERVER_ERROR;
}

/** Whether a level is `error` or `fatal` as pino and bunyan number them. */
export function isErrorLevel(level: number): boolean {
  return level === LEAST_ERROR_LEVEL || level === MOST_LEVEL;
}

/** Whether a level is `warn` as pino and bunyan number it. */
export function isWarningLevel(level: number): boolean {
  return level === WARNING_LEVEL;
}

/** Severity of a syslog priority: 2 for an error, 1 for a warning, 0 for less. */
export function rankOfPriority(priority: number): number {
  if (priority > MOST_PRIORITY) return 0;
  const severity = priority & 7;
  return severity <= SYSLOG_ERROR ? 2 : severity === SYSLOG_WARNING ? 1 : 0;
}
