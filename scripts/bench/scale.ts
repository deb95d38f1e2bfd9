/** How much is measured: everything, or in about a minute what shows a regression. */
export interface Scale {
  readonly connections: readonly number[]
  readonly bodyBytes: readonly number[]
  readonly requestsMs: number
  readonly streams: readonly number[]
  readonly streamDeltas: number
  readonly heldStreams: number
  readonly coldStarts: number
  /** How long a round of requests that move on from one that refuses takes, and how long one fails every other request. */
  readonly refusedMs: number
  readonly flappingMs: number
}

export const FULL: Scale = {
  connections: [1, 10, 32, 256],
  bodyBytes: [200, 100_000, 1_000_000],
  requestsMs: 3_000,
  streams: [1, 100, 1_000],
  streamDeltas: 100,
  heldStreams: 5_000,
  coldStarts: 9,
  refusedMs: 8_000,
  flappingMs: 20_000,
}

export const QUICK: Scale = {
  connections: [10, 32],
  bodyBytes: [200, 100_000],
  requestsMs: 1_000,
  streams: [1, 100, 1_000],
  streamDeltas: 30,
  heldStreams: 5_000,
  coldStarts: 5,
  refusedMs: 2_000,
  flappingMs: 4_000,
}

/** Twenty deltas a second, a brisk model. */
export const DELTA_EVERY_MS = 50
