import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useRef, useState } from 'react'
import type { Api } from '../../api.ts'
import { useAnnounce, useApi } from '../../app-context.ts'
import type { RequestDetail } from '../../wire.ts'
import { readMessages, type StreamEnd } from './messages-stream.ts'

const MAX_TOKENS = 1_024
/** The log is written in groups; a request is there a moment after its answer. */
const [LOOK_TRIES, LOOK_PAUSE_MS] = [8, 150]

export interface Trial {
  readonly asked: string
  readonly answer: string
  readonly state: 'running' | 'done' | 'failed'
  readonly requestId: string | undefined
  readonly firstTokenMs: number | undefined
  readonly end: StreamEnd | undefined
  /** As it was logged, with its price. */
  readonly logged: RequestDetail | undefined
  readonly error: string | undefined
}

const STARTED = {
  answer: '',
  state: 'running',
  requestId: undefined,
  firstTokenMs: undefined,
  end: undefined,
  logged: undefined,
  error: undefined,
} as const satisfies Omit<Trial, 'asked'>

/** One message at a time to the gateway, as a client with a key sends it. */
export function useTry(onRequest: (id: string) => void) {
  const api = useApi()
  const queries = useQueryClient()
  const announce = useAnnounce()
  const [trial, setTrial] = useState<Trial>()
  const running = useRef<AbortController>(undefined)
  const send = useCallback(
    async (asked: string, model: string, key: string): Promise<void> => {
      running.current?.abort()
      const abort = new AbortController()
      running.current = abort
      setTrial({ asked, ...STARTED })
      const change = (part: (trial: Trial) => Partial<Trial>): void => {
        if (!abort.signal.aborted) setTrial((trial) => trial && { ...trial, ...part(trial) })
      }
      try {
        await run(api, { asked, model, key, signal: abort.signal, onRequest }, change)
        announce('The answer is complete')
      } catch (cause) {
        change(() => ({ state: 'failed', error: cause instanceof Error ? cause.message : 'The reason is not known.' }))
        announce('The request has failed')
      }
      await queries.invalidateQueries({ queryKey: ['/v1/usage/requests'] })
    },
    [api, queries, announce, onRequest],
  )
  return { trial, send, isRunning: trial?.state === 'running' }
}

interface Question {
  readonly asked: string
  readonly model: string
  readonly key: string
  readonly signal: AbortSignal
  /** Told the request's id as soon as the gateway has given it. */
  readonly onRequest: (id: string) => void
}

type ChangeTrial = (part: (trial: Trial) => Partial<Trial>) => void

async function run(api: Api, { asked, model, key, signal, onRequest }: Question, change: ChangeTrial): Promise<void> {
  const startedMs = performance.now()
  const response = await api.callGateway('/v1/messages', key, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      model,
      max_tokens: MAX_TOKENS,
      stream: true,
      messages: [{ role: 'user', content: asked }],
    }),
    signal,
  })
  const requestId = response.headers.get('x-request-id') ?? undefined
  if (requestId !== undefined) onRequest(requestId)
  change(() => ({ requestId }))
  if (!response.ok || response.body === null) throw new Error(await refusalOf(response))
  const end = await readMessages(response.body, {
    onText: (text) =>
      change(({ answer, firstTokenMs }) => ({
        answer: answer + text,
        firstTokenMs: firstTokenMs ?? performance.now() - startedMs,
      })),
  })
  change(() => ({ state: 'done', end }))
  const logged = requestId === undefined ? undefined : await loggedAs(api, requestId, signal)
  change(() => ({ logged }))
}

async function refusalOf(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => undefined) // an answer without JSON still has its status
  const error = (body as { error?: { message?: string } } | undefined)?.error
  return error?.message ?? `The gateway answered ${response.status}.`
}

/** The row of the log once it is finished; undefined when that takes too long. */
async function loggedAs(api: Api, id: string, signal: AbortSignal): Promise<RequestDetail | undefined> {
  for (let tries = 0; tries < LOOK_TRIES && !signal.aborted; tries++) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_PAUSE_MS))
    const row = await api.get<RequestDetail>(`/v1/usage/requests/${id}`, { signal }).catch(() => undefined)
    if (row !== undefined && row.status !== 'open') return row
  }
  return undefined
}
