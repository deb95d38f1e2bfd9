import { SECOND_MS } from '../core/duration.ts'
import type { Settings } from '../resources/settings/settings.ts'
import { parseCidr } from '../http/cidr.ts'
import type { GatewaySettings } from './deps.ts'

const BYTES_PER_KIB = 1_024
const BYTES_PER_MIB = 1_048_576

/** The settings as the inference path reads them, computed once for each change. */
export function gatewaySettings(source: { current(): Settings }): () => GatewaySettings {
  let seen: Settings | undefined
  let computed: GatewaySettings | undefined
  return () => {
    const settings = source.current()
    if (computed === undefined || seen !== settings) {
      seen = settings
      computed = read(settings)
    }
    return computed
  }
}

function read({ server, routing, resilience, streaming, logging }: Settings): GatewaySettings {
  const { connectMs, firstTokenMs, firstContentMs, idleMs, totalMs } = routing.timeouts
  return {
    bodyBytesMax: server.maxBodyMib * BYTES_PER_MIB,
    trustedProxies: server.trustedProxies.flatMap((block) => parseCidr(block) ?? []),
    paused: routing.paused,
    strictParams: routing.strictParams,
    keepsResponses: streaming.responsesStore === 'memory',
    queueMs: resilience.queueMs,
    keepAliveMs: streaming.keepaliveS * SECOND_MS,
    drainMs: streaming.drainForUsageS * SECOND_MS,
    preferences: {
      accountStrategy: routing.accountStrategy,
      stickyRequests: routing.stickyRequests,
      affinity: routing.affinity,
      affinityTtlMs: routing.affinityTtlS * SECOND_MS,
      retry: routing.retry,
      fallbackOn: routing.fallbackOn,
    },
    stream: {
      commit: streaming.commit,
      bufferBytes: streaming.bufferKib * BYTES_PER_KIB,
      minTokensPerS: null,
      onCut: streaming.onCut,
    },
    logContent: logging.logContent,
    contentBytesMax: logging.bodyMaxKib * BYTES_PER_KIB,
    timeouts: { connectMs, firstEventMs: firstTokenMs, firstContentMs, idleMs, totalMs },
  }
}
