/** The wire shape of system stats. What a system does not tell is null; a figure enters here in the commit that measures it. */
import { type Static, Type } from '@sinclair/typebox'
import { choice, nullable } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { SystemStats } from './service.ts'
import { ROW_KINDS } from './store.ts'

const Count = Type.Integer({ minimum: 0 })
const Bytes = nullable(Count)
const Measured = nullable(Type.Number({ minimum: 0 }))
const Time = Type.String({ format: 'date-time' })
const Rows = Type.Object(
  Object.fromEntries(ROW_KINDS.map((kind) => [kind, Bytes])) as Record<(typeof ROW_KINDS)[number], typeof Bytes>,
  CLOSED,
)

export const SystemWire = Type.Object(
  {
    app: Type.Object(
      { version: Type.String(), commit: Type.String(), bun: Type.String(), uptime_s: Count, started_at: Time },
      CLOSED,
    ),
    process: Type.Object(
      {
        rss_bytes: Count,
        heap_used: Count,
        heap_total: Count,
        external: Count,
        cpu_pct: nullable(Type.Number({ minimum: 0, description: 'of one processor' })),
        fds: Bytes,
        event_loop_lag_p99_ms: Measured,
      },
      CLOSED,
    ),
    host: Type.Object(
      {
        os: Type.String(),
        arch: Type.String(),
        cpus: Count,
        load1: Measured,
        mem_total: Bytes,
        mem_free: Bytes,
        disk_free: Bytes,
      },
      CLOSED,
    ),
    gateway: Type.Object(
      {
        in_flight: Count,
        queued: Count,
        rps_1m: Type.Number(),
        streams_open: Count,
        p50_gateway_ms: Measured,
        p99_gateway_ms: Measured,
      },
      CLOSED,
    ),
    db: Type.Object(
      {
        path_kind: choice(['file', 'memory']),
        size: Count,
        wal_size: Count,
        page_count: Count,
        freelist: Count,
        rows: Rows,
        last_backup: nullable(Time),
      },
      CLOSED,
    ),
    log_writer: Type.Object({ pending: Count, dropped: Count }, CLOSED),
    circuit_open: Type.Array(Type.String({ description: 'a provider' })),
    accounts_cooldown: Count,
    warnings: Type.Array(Type.String()),
  },
  CLOSED,
)

export function systemToWire(stats: SystemStats): Static<typeof SystemWire> {
  const { app, process, host, gateway, db } = stats
  return {
    app: {
      version: app.version,
      commit: app.commit,
      bun: Bun.version,
      uptime_s: app.uptimeS,
      started_at: rfc3339(app.startedAtMs),
    },
    process: {
      rss_bytes: process.rssBytes,
      heap_used: process.heapUsed,
      heap_total: process.heapTotal,
      external: process.external,
      cpu_pct: rounded(process.cpuPct),
      fds: process.fds,
      event_loop_lag_p99_ms: rounded(process.eventLoopLagP99Ms),
    },
    host: {
      os: host.os,
      arch: host.arch,
      cpus: host.cpus,
      load1: rounded(host.load1),
      mem_total: host.memTotal,
      mem_free: host.memFree,
      disk_free: host.diskFree,
    },
    gateway: {
      in_flight: gateway.inFlight,
      queued: gateway.queued,
      rps_1m: rounded(gateway.requestsPerSecond) ?? 0,
      streams_open: gateway.streamsOpen,
      p50_gateway_ms: rounded(gateway.p50GatewayMs),
      p99_gateway_ms: rounded(gateway.p99GatewayMs),
    },
    db: {
      path_kind: db.pathKind,
      size: db.bytes,
      wal_size: db.walBytes,
      page_count: db.pages,
      freelist: db.freePages,
      rows: { ...db.rows },
      last_backup: db.lastBackupMs === null ? null : rfc3339(db.lastBackupMs),
    },
    log_writer: { ...stats.logWriter },
    circuit_open: [...stats.circuitOpen],
    accounts_cooldown: stats.accountsCooldown,
    warnings: [...stats.warnings],
  }
}

/** To three places: more would only be noise. */
function rounded<T extends number | null>(value: T): number | T {
  return value === null ? value : Math.round(value * 1_000) / 1_000
}

function rfc3339(ms: number): string {
  return new Date(ms).toISOString()
}
