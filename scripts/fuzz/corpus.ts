/** What is mutated: every stream that was recorded or printed for a dialect, and generated ones of every shape. */
import * as fc from 'fast-check'
import type { ClientDialectId } from '../../src/catalog/dialect-id.ts'
import { framerOf } from '../../src/core/framing/index.ts'
import type { Frame } from '../../src/core/framing/frame.ts'
import { replies } from '../../test/dialects/arbitraries.ts'
import { recordedStreams } from '../../test/dialects/exchanges.ts'
import { CLIENTS, UPSTREAMS } from '../../test/dialects/samples/index.ts'
import type { UpstreamSample } from '../../test/dialects/samples/sample.ts'

const GENERATED = 40
/** One for all runs, so that a case is found again by its own seed and number alone. */
const CORPUS_SEED = 7

export interface Subject {
  readonly sample: UpstreamSample
  readonly streams: readonly Uint8Array[]
  /** The same streams as frames. */
  readonly frames: readonly (readonly Frame[])[]
  /** Plain replies, as JSON. */
  readonly replies: readonly string[]
}

/** Bodies of requests, as JSON, of every client. */
export function requestCorpus(): readonly (readonly [client: ClientDialectId, bodies: readonly string[]])[] {
  return CLIENTS.map(({ client }) => [client.dialect.id, client.bodies.map((body) => JSON.stringify(body))])
}

export function corpus(): readonly Subject[] {
  return UPSTREAMS.map((sample) => {
    const { dialect, opaque, voice } = sample.upstream
    const generated = fc.sample(replies(opaque), { numRuns: GENERATED, seed: CORPUS_SEED })
    const streams = [...recordedStreams(dialect.id), ...generated.map((reply) => voice.stream(reply))]
    return {
      sample,
      streams,
      frames: streams.map((bytes) => framerOf(dialect.framing).push(bytes)),
      replies: generated.map((reply) => JSON.stringify(voice.plain(reply))),
    }
  })
}
