/** How needles are spelled: what a field usually says, and what it says once. @module */

/** What a needle is about. */
export const SORTS = ["failing", "rare", "extreme"] as const;

/** One of {@linkcode SORTS}. */
export type Sort = (typeof SORTS)[number];

/**
 * Where a spelling goes: behind a line, in front of its message, in place of its level, or on a line of its own.
 */
export type Position = "end" | "start" | "level" | "line";

/** A field of a line. */
export interface Spelling {
  /** Where it goes. */
  readonly position: Position;
  /** The text, with `§` for the value and `#` for each random digit. */
  readonly pattern: string;
  /** Its usual value: a constant, `a|b` for one of several, or `4..20` for a number in a range. */
  readonly usual: string;
  /** Its value in the needle. */
  readonly telling: string;
}

/** A value of JSON. */
export type Value = string | number | boolean | null;

/** A member of an object, or a cell of a row. */
export interface Member {
  /** Name of the member or the column. */
  readonly key: string;
  /** Its usual value; of a string with `..` or `|`, see {@linkcode Spelling.usual}. */
  readonly usual: Value;
  /** Its value in the needle. */
  readonly telling: Value;
}

type Row = readonly [pattern: string, usual: string, telling: string];

function spellings(position: Position, rows: readonly Row[]): Spelling[] {
  return rows.map(([pattern, usual, telling]) => ({
    position,
    pattern,
    usual,
    telling,
  }));
}

/** Spellings for lines of text. */
export const SPELLINGS: Readonly<Record<Sort, readonly Spelling[]>> = {
  failing: [
    ...spellings("end", [
      ["status=§", "200", "502"],
      ["status=§ ms=##", "200", "502"],
      ["status_code=§ ms=##", "200|201|204", "503"],
      ["http.status_code=§ ms=##", "200", "503"],
      ["code=§ bytes=####", "200", "503"],
      ["response_code=§ upstream=10.0.0.4:8080", "200", "502"],
      ["GET /a/## HTTP/1.1 § ms=##", "200", "503"],
      ["status=§ path=/a/##", "200|304", "404"],
      ["GET /a/## § ##ms", "200|304", "500"],
      ["rc=§", "0", "1"],
      ["exit=§ pid=4###", "0", "137"],
      ["errno=§", "0", "-110"],
      ["result=§ user=u##", "ok", "denied"],
      ["outcome=§ ms=##", "success", "failure"],
      ["exit status §", "0", "2"],
    ]),
    ...spellings("level", [
      ["level=§", "info|debug", "error"],
      ["§", "INFO|DEBUG", "ERROR"],
      ["[§]", "I|D", "E"],
      ["§", "INFO", "FATAL"],
    ]),
    ...spellings("start", [
      ["§", "✓", "✗"],
      ["§ ##", "ok", "not ok"],
    ]),
    ...spellings("line", [
      [
        "§0301 12:00:##.######       1 sync.go:117] synced pod web-##",
        "I",
        "E",
      ],
      [
        '[2026-03-01T12:00:##.###Z] "GET /a/## HTTP/1.1" § - 0 153 ## ## "-" "curl/8.5.0" "10.0.0.4:8080"',
        "200",
        "504",
      ],
      [
        'haproxy[7]: 10.0.0.9:5#### [01/Mar/2026:12:00:##.###] http-in app/srv1 0/0/1/##/## § 153 - - ---- 1/1/0/0/0 0/0 "GET /a/## HTTP/1.1"',
        "200",
        "503",
      ],
      [
        '10.0.0.9 - - [01/Mar/2026:12:00:## +0000] "GET /a/## HTTP/1.1" § 153 "-" "curl/8.5.0"',
        "200",
        "404",
      ],
      [
        "npm http fetch GET § https://registry.example.com/pkg-## ##ms",
        "200",
        "404",
      ],
      ["  § rejects a token of kind ##", "✓", "3)"],
      ["task ##: finished with exit code §", "0", "1"],
    ]),
  ],
  rare: [
    ...spellings("end", [
      ["state=§", "READY", "DRAINING"],
      ["region=§", "eu-west-1", "ap-south-2"],
      ["version=§", "1.4.2", "1.3.9"],
      ["role=§", "follower", "candidate"],
      ["phase=§", "Running", "Pending"],
      ["mode=§", "rw", "ro"],
      ["env=§", "prod", "staging"],
      ["tls=§", "TLSv1.3", "TLSv1.0"],
      ["user=§", "app", "root"],
      ["proto=§", "h2", "h3"],
      ["cache=§", "HIT|MISS", "BYPASS"],
      ["branch: §", "main", "hotfix-81"],
      ["feature_x=§", "off", "on"],
      ["shard=§", "3", "11"],
      ["method=§", "GET", "DELETE"],
      ["[zone §]", "north", "south"],
      ["plan:§", "free", "enterprise"],
      ["image=web:§", "2026.1", "latest"],
    ]),
    ...spellings("line", [
      ["test area_##::reads_the_row ... §", "ok", "ignored"],
      ["tests/test_area_##.py::test_reads_the_row §", "PASSED", "SKIPPED"],
      ["--- §: TestReadsTheRow## (0.0#s)", "PASS", "SKIP"],
      ["node web-## is §", "ready", "cordoned"],
    ]),
  ],
  extreme: [
    ...spellings("end", [
      ["ms=§", "40..200", "48210"],
      ["took=§ms", "40..200", "48210"],
      ["duration=§s", "1.1..2.9", "312.4"],
      ["latency_ms: §", "40..200", "61377"],
      ["(§ ms)", "40..200", "48210"],
      ["in §s", "0.02..0.09", "38.25"],
      ["took=§", "11.2ms..78.9ms", "41.7s"],
      ["bytes=§", "4000..6000", "913552801"],
      ["size=§", "11KB..88KB", "9.1GB"],
      ["rows=§", "11..40", "1840233"],
      ["retries=§", "0|1", "471"],
      ["queue_depth=§", "11..40", "90412"],
      ["offset=§", "11..40", "-48210"],
      ["delta=§", "+1|+2|+3|-1|-2", "-9120"],
      ["free_mb=§", "8000..9000", "3.5"],
      ["lag=§", "0|1|2", "99812"],
      ["cpu=§%", "11..40", "1840"],
      ["heap=§MB of 4096MB", "400..600", "40961"],
      ["time=§ ms", "11.1..14.9", "9120.3"],
    ]),
    ...spellings("line", [
      [
        "tests/test_area_##.py::test_reads_the_row PASSED (§s)",
        "0.02..0.09",
        "187.42",
      ],
      [
        '10.0.0.9 - - [01/Mar/2026:12:00:## +0000] "GET /a/## HTTP/1.1" 200 § "-" "curl/8.5.0"',
        "4000..6000",
        "913552801",
      ],
    ]),
  ],
};

type MemberRow = readonly [key: string, usual: Value, telling: Value];

function members(rows: readonly MemberRow[]): Member[] {
  return rows.map(([key, usual, telling]) => ({ key, usual, telling }));
}

/** Members for objects, and columns for tables. */
export const MEMBERS: Readonly<Record<Sort, readonly Member[]>> = {
  failing: members([
    ["http_status", 200, 502],
    ["status_code", "200|201|204", 503],
    ["statusCode", 200, 404],
    ["response_code", 200, 504],
    ["code", 0, 139],
    ["rc", 0, 127],
    ["exit_code", 0, 137],
    ["exitCode", 0, 101],
    ["errno", 0, -110],
    ["result", "ok", "denied"],
    ["outcome", "success", "failure"],
    ["level", "info|debug", "error"],
    ["severity", "INFO", "CRITICAL"],
    ["run_state", "active", "failed"],
    ["success", true, false],
    ["healthy", true, false],
    ["error", null, "ECONNREFUSED"],
    ["errors", 0, 317],
    ["phase", "Running", "CrashLoopBackOff"],
    ["conclusion", "success", "timed_out"],
  ]),
  rare: members([
    ["node_state", "READY", "DRAINING"],
    ["region", "eu-west-1", "ap-south-2"],
    ["release", "1.4.2", "1.3.9"],
    ["role", "follower", "candidate"],
    ["phase", "Running", "Pending"],
    ["mode", "rw", "ro"],
    ["env", "prod", "staging"],
    ["tls", "TLSv1.3", "TLSv1.0"],
    ["user", "app", "root"],
    ["proto", "h2", "h3"],
    ["cache", "HIT|MISS", "BYPASS"],
    ["branch", "main", "hotfix-81"],
    ["feature_x", true, false],
    ["shard", 3, 711],
    ["method", "GET", "DELETE"],
    ["zone", "north", "south"],
    ["plan", "free", "enterprise"],
    ["image_tag", "2026.1", "latest"],
    ["test_result", "passed", "skipped"],
    ["owner", "team-a", "team-q"],
  ]),
  extreme: members([
    ["ms", "40..200", 48_210],
    ["took_ms", "40..200", 48_210],
    ["duration_s", "1.1..2.9", 312.4],
    ["latency_ms", "40..200", 61_377],
    ["elapsed", "0.02..0.09", 38.25],
    ["took", "11.2ms..78.9ms", "41.7s"],
    ["bytes", "4000..6000", 913_552_801],
    ["size", "11KB..88KB", "9.1GB"],
    ["rows_read", "11..40", 1_840_233],
    ["retries", "0..1", 471],
    ["queue_depth", "11..40", 90_412],
    ["offset", "11..40", -48_210],
    ["delta", "1..3", -9_120],
    ["free_mb", "8000..9000", 3.5],
    ["lag", "0..2", 99_812],
    ["cpu_percent", "11..40", 1_840],
    ["heap_mb", "400..600", 40_961],
    ["ping_ms", "11.1..14.9", 9_120.3],
    ["restarts", "0..1", 2_716],
    ["temperature", "18.1..22.9", -273.1],
  ]),
};
