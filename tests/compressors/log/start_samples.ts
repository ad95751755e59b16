/** One log in the spellings of many loggers: the same messages behind other starts of lines. @module */

let seed = 7;
/** A number below `n`, the same in every run of a sample. */
function below(n: number): number {
  seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
  return (seed >>> 8) % n;
}

function oneOf(values: readonly string[]): string {
  return values[below(values.length)] ?? "";
}

function two(n: number): string {
  return String(n).padStart(2, "0");
}

/** Parts of a time, each as loggers write it. */
interface Time {
  readonly h: string;
  readonly m: string;
  readonly s: string;
  readonly ms: string;
  readonly sec: number;
  readonly i: number;
}

/** What stands before a message, by logger. */
export const STARTS: Readonly<Record<string, (t: Time) => string>> = {
  iso: (t) => `2026-02-02T${t.h}:${t.m}:${t.s}Z INFO `,
  spark: (t) => `17/06/09 ${t.h}:${t.m}:${t.s} INFO storage.BlockManager: `,
  hdfs: (t) =>
    `081109 ${t.h}${t.m}${t.s} ${
      143 + below(40)
    } INFO dfs.DataNode$PacketResponder: `,
  android: (t) =>
    `03-17 ${t.h}:${t.m}:${t.s}.${t.ms}  1702  ${2395 + below(40)} D ${
      oneOf(["WindowManager", "PowerManagerService", "ActivityManager"])
    }: `,
  cbs: (t) => `2016-09-28 ${t.h}:${t.m}:${t.s}, Info                  CBS    `,
  openstack: (t) =>
    `nova-api.log.1.2017-05-16_13:53:08 2017-05-16 ${t.h}:${t.m}:${t.s}.${t.ms} 25746 INFO nova.osapi_compute.wsgi.server [req-38101a0b-2096-447d-96ea-a692162415ae 113d3a99c3da401fbd62cc2caa5b96d2 54fadb412c4e40cdbaed9335e4c35a9e - - -] `,
  bgl: (t) =>
    `- 11178${38570 + t.sec} 2005.06.03 R02-M1-N${below(9)}-C:J12-U${
      below(20)
    } 2005-06-03-${t.h}.${t.m}.${t.s}.363779 R02-M1-N${
      below(9)
    }-C:J12-U11 RAS KERNEL INFO `,
  thunderbird: (t) =>
    `- 1131${566461 + t.sec} 2005.11.09 dn${
      below(900)
    } Nov 9 ${t.h}:${t.m}:${t.s} dn${below(900)}/dn228 crond(pam_unix)[${
      below(9000)
    }]: `,
  healthapp: (t) =>
    `20171223-${+t.h}:${+t.m}:${+t.s}:${+t.ms}|Step_${
      oneOf(["LSC", "SPUtils", "StandReportReceiver"])
    }|30002312|`,
  hpc: (t) =>
    `${134681 + t.i} node-${below(256)} unix.hw state_change.unavailable 10778${
      4742 + t.sec
    } 1 `,
  proxifier: (t) => `[10.30 ${t.h}:${t.m}:${t.s}] chrome.exe - `,
  zookeeper: (t) =>
    `2015-07-29 ${t.h}:${t.m}:${t.s},${t.ms} - INFO  [QuorumPeer[myid=1]/0:0:0:0:0:0:0:0:2181:FastLeaderElection@${
      below(900)
    }] - `,
  apache: (t) => `[Sun Dec 04 ${t.h}:${t.m}:${t.s} 2005] [notice] `,
  mac: (t) =>
    `Jul  1 ${t.h}:${t.m}:${t.s} calvisitor-10-105-160-95 kernel[0]: `,
  hadoop: (t) =>
    `2015-10-18 ${t.h}:${t.m}:${t.s},${t.ms} INFO [main] org.apache.hadoop.mapreduce.v2.app.MRAppMaster: `,
  syslog: (t) =>
    `Jun 14 ${t.h}:${t.m}:${t.s} combo sshd(pam_unix)[${below(30000)}]: `,
  dmesg: (t) => `[${String(t.sec).padStart(5)}.${t.ms}000] `,
  dmesgT: (t) => `[Mon Nov 17 ${t.h}:${t.m}:${t.s} 2025] `,
  journalIso: (t) => `2026-11-21T${t.h}:${t.m}:${t.s}+0000 devbox systemd[1]: `,
  journalUnix: (t) => `17637${62000 + t.sec}.${t.ms}123 devbox systemd[1]: `,
  logcatBrief: () =>
    `D/${oneOf(["WindowManager", "PowerManagerService", "ActivityManager"])}( ${
      1702 + below(30)
    }): `,
  compose: () => `${oneOf(["api-1   ", "db-1    ", "worker-1"])}  | `,
  composeTime: (t) =>
    `${
      oneOf(["api-1   ", "db-1    ", "worker-1"])
    }  | 2026-02-02T${t.h}:${t.m}:${t.s}Z INFO `,
  kubectl: () => `[pod/api-7d9f8b6c5d-${oneOf(["x2x4z", "k8s9q"])}/api] `,
  kubectlTime: (t) =>
    `[pod/api-7d9f8b6c5d-${
      oneOf(["x2x4z", "k8s9q"])
    }/api] 2026-02-02T${t.h}:${t.m}:${t.s}.123456789Z `,
  bracketName: () => `[${oneOf(["api", "db", "worker"])}] `,
  ghLog: (t) => `build\tRun tests\t2026-02-02T${t.h}:${t.m}:${t.s}.1234567Z `,
  gitlab: (t) => `2026-02-02T${t.h}:${t.m}:${t.s}.123456Z 01O `,
  klog: (t) =>
    `I0301 ${t.h}:${t.m}:${t.s}.${t.ms}123       1 controller.go:${
      below(500)
    }] `,
  envoy: (t) =>
    `[2026-02-02 ${t.h}:${t.m}:${t.s}.${t.ms}][12][info][upstream] [source/common/upstream/cluster_manager_impl.cc:${
      below(900)
    }] `,
  haproxy: (t) =>
    `Feb  2 ${t.h}:${t.m}:${t.s} localhost haproxy[14389]: 10.0.1.2:${
      33317 + below(99)
    } [06/Feb/2026:12:14:14.655] http-in static/srv1 10/0/30/69/109 200 2750 - - ---- 1/1/1/1/0 0/0 `,
  log4jEpoch: (t) =>
    `1763762${two(below(99))}${two(below(99))}${t.ms.slice(0, 2)} INFO `,
  python: () => `INFO:storage.block:`,
  pythonDash: (t) =>
    `2026-02-02 ${t.h}:${t.m}:${t.s},${t.ms} - storage - INFO - `,
  glog: (t) =>
    `I20260202 ${t.h}:${t.m}:${t.s}.${t.ms}123 12345 main.cc:${below(100)}] `,
  rails: (t) =>
    `I, [2026-02-02T${t.h}:${t.m}:${t.s}.123456 #${below(9)}]  INFO -- : `,
  spring: (t) =>
    `2026-02-02 ${t.h}:${t.m}:${t.s}.${t.ms}  INFO 12345 --- [nio-8080-exec-${
      below(9)
    }] c.e.storage.BlockManager                 : `,
  java: (t) => `${t.h}:${t.m}:${t.s}.${t.ms} [main] INFO  c.e.BlockManager - `,
  heroku: (t) => `2026-02-02T${t.h}:${t.m}:${t.s}.123456+00:00 app[web.1]: `,
  cloudwatch: (t) =>
    `2026/02/02/[$LATEST]abcdef 2026-02-02T${t.h}:${t.m}:${t.s}.123Z `,
  usDate: (t) => `02/14/2026 ${+t.h % 12}:${t.m}:${t.s} PM `,
  euDate: (t) => `14.02.2026 ${t.h}:${t.m}:${t.s} `,
  bracketIso: (t) => `[2026-02-02T${t.h}:${t.m}:${t.s}.123Z] [INFO] storage - `,
  fileTime: (t) => `server.log:2026-02-02 ${t.h}:${t.m}:${t.s} INFO `,
  sourceFileTime: (t) => `app.log 2026-02-02 ${t.h}:${t.m}:${t.s} INFO `,
  mysql: (t) =>
    `2026-02-02T${t.h}:${t.m}:${t.s}.123456Z ${
      below(9)
    } [Note] [MY-010051] [Server] `,
  postgres: (t) =>
    `2026-02-02 ${t.h}:${t.m}:${t.s}.${t.ms} UTC [${below(999)}] LOG:  `,
  mongo: (t) =>
    `2026-02-02T${t.h}:${t.m}:${t.s}.${t.ms}+0000 I  NETWORK  [conn${
      below(99)
    }] `,
  elastic: (t) =>
    `[2026-02-02T${t.h}:${t.m}:${t.s},${t.ms}][INFO ][o.e.c.r.a.AllocationService] [node-1] `,
  android2: (t) =>
    `11-22 ${t.h}:${t.m}:${t.s}.${t.ms} I/ActivityManager( ${below(2000)}): `,
  ansi: (t) =>
    `\x1b[2m2026-02-02T${t.h}:${t.m}:${t.s}.1Z\x1b[0m \x1b[32m INFO\x1b[0m \x1b[2mapp::db\x1b[0m\x1b[2m:\x1b[0m `,
  pinoPretty: (t) => `[${t.h}:${t.m}:${t.s}.${t.ms}] INFO (1234): `,
  zap: (t) =>
    `2026-02-02T${t.h}:${t.m}:${t.s}.123Z\tINFO\tstorage/block.go:${
      below(90)
    }\t`,
  helm: (t) =>
    `${oneOf(["ready", "client", "wait"])}.go:${
      below(900)
    }: 2026-02-02 ${t.h}:${t.m}:${t.s}.${t.ms} +0000 UTC m=+${t.i}.5 [debug] `,
  winston: () => "info: ",
  pnpmTask: () => `${oneOf(["apps/web", "packages/ui"])} build: `,
  lerna: () => `${oneOf(["@shop/web", "@shop/ui"])}: `,
  priority: (t) =>
    `<${30 + below(9)}>Feb  2 ${t.h}:${t.m}:${t.s} web1 app[7]: `,
  rfc5424: (t) =>
    `<34>1 2026-02-02T${t.h}:${t.m}:${t.s}.003Z web1 app 7 ID1 - `,
  kernelPriority: (t) => `<6>[${String(t.sec).padStart(5)}.${t.ms}000] `,
  router: (t) => `*Feb  2 ${t.h}:${t.m}:${t.s}.${t.ms}: %LINK-5-UP: `,
  unreal: (t) =>
    `[2026.02.02-${t.h}.${t.m}.${t.s}:${t.ms}][${
      String(below(999)).padStart(3)
    }]LogStreaming: Display: `,
  ciPrefix: (t) => `#12 ${t.sec}.${t.ms} `,
};
/** The messages of a storage service. */
function message(): string {
  const kind = below(100);
  const block = `blk_${below(1e9)}`;
  if (kind < 30) return `PacketResponder ${below(4)} for block ${block} ending`;
  if (kind < 55) return `Received block ${block} of size ${below(9e7)}`;
  if (kind < 75) return `Finished task ${below(60)}.0 in ${below(3000)} ms`;
  if (kind < 90) return `Found block rdd_${below(40)}_${below(40)} locally`;
  if (kind < 96) return `Starting thread to transfer block ${block}`;
  if (kind < 98) return `session opened for user ${oneOf(["ann", "bob"])}`;
  return `Verification succeeded for ${block}`;
}

/** A log of `count` lines with the starts of a logger. */
export function logWith(logger: string, count = 300): string {
  seed = 7;
  const start = STARTS[logger] ?? (() => "");
  let sec = 36_000;
  const lines: string[] = [];
  for (let i = 0; i < count; i++) {
    sec += below(4);
    const time = {
      h: two(Math.floor(sec / 3600)),
      m: two(Math.floor(sec / 60) % 60),
      s: two(sec % 60),
      ms: String(below(1000)).padStart(3, "0"),
      sec,
      i,
    };
    lines.push(start(time) + message());
  }
  return `${lines.join("\n")}\n`;
}
