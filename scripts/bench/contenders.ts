/** Who is measured side by side in one run, and how each is asked. */
import type { Gateway } from './gateway.ts'
import { gatewayTarget, PROVIDER } from './gateway.ts'
import { FILLER, type Target } from './load.ts'
import type { Helper } from './processes.ts'

export type ContenderName = 'direct' | 'bare' | 'passed through' | 'naive' | 'translated'

export interface Contender {
  readonly name: ContenderName
  /** The process whose cost is measured. */
  readonly pid: number
  readonly target: Target
  readonly modelPrefix: string
}

export interface Cast {
  readonly upstream: Helper
  readonly bare: Helper
  readonly naive: Helper
  readonly gateway: Gateway
}

const CHAT = '/v1/chat/completions'
const MESSAGES = '/v1/messages'

/** `direct` first: the others are compared with it. */
export function contendersOf({ upstream, bare, naive, gateway }: Cast): readonly Contender[] {
  const ours = { pid: gateway.process.pid, modelPrefix: `${PROVIDER}/` }
  return [
    { name: 'direct', pid: upstream.pid, target: helperTarget(upstream, CHAT), modelPrefix: '' },
    { name: 'bare', pid: bare.pid, target: helperTarget(bare, CHAT), modelPrefix: '' },
    { name: 'passed through', ...ours, target: gatewayTarget(gateway, CHAT) },
    { name: 'naive', pid: naive.pid, target: helperTarget(naive, MESSAGES), modelPrefix: '' },
    { name: 'translated', ...ours, target: gatewayTarget(gateway, MESSAGES) },
  ]
}

function helperTarget({ port }: Helper, path: string): Target {
  return { host: '127.0.0.1', port, path, headers: {} }
}

/** A body that both chat dialects read; its text fills up to the size that a case asks for. */
export function plainBody({ modelPrefix }: Contender): string {
  return bodyOf(`${modelPrefix}plain`, false)
}

/** Deltas come `everyMs` apart, the first at once. */
export function streamBody({ modelPrefix }: Contender, deltas: number, everyMs: number): string {
  return bodyOf(`${modelPrefix}stream-${deltas}-${everyMs}`, true)
}

function bodyOf(model: string, stream: boolean): string {
  const messages = [{ role: 'user', content: stream ? 'Tell me a story.' : FILLER }]
  return JSON.stringify({ model, max_tokens: 1_000, ...(stream ? { stream } : {}), messages })
}
