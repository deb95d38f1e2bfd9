/**
 * Binary messages whose payload wraps one event of Anthropic's Messages each, as the frames that Anthropic itself would have sent:
 * `{"bytes": base64}` becomes the server-sent event that it holds. So a stream of this framing can go on to a client as it is.
 * https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_InvokeModelWithResponseStream.html (read 2026-11-21)
 */
import { asString, isObject, type Json } from '../json.ts'
import { eventData, eventName, EventStreamFramer, type EventMessage } from './event-stream.ts'
import type { Frame, Framer } from './frame.ts'

export function eventStreamSseFramer(): Framer {
  return new EventStreamFramer(unwrapped)
}

/** A message that says nothing to a client of Messages. */
const SILENT: Frame = { event: '', data: '', bytes: new Uint8Array(0) }
const EXCEPTION = /^exception:/
/** The types that events have; another one could end its line and begin others. */
const EVENT_TYPE = /^[a-z_]{1,64}$/

function unwrapped(message: EventMessage): Frame {
  const name = eventName(message)
  const data = eventData(message)
  if (EXCEPTION.test(name)) return sseFrame('error', JSON.stringify(errorEvent(name.replace(EXCEPTION, ''), data)))
  const wrapped = asString(memberOf(data, 'bytes'))
  if (wrapped === undefined) return SILENT
  const event = Buffer.from(wrapped, 'base64').toString('utf8')
  const type = asString(memberOf(event, 'type'))
  return type === undefined || !EVENT_TYPE.test(type) ? SILENT : sseFrame(type, event)
}

/** JSON may have line ends between its tokens, where a line of data must not. */
function sseFrame(event: string, json: string): Frame {
  const data = json.replaceAll(/[\r\n]+/g, ' ')
  return { event, data, bytes: Buffer.from(`event: ${event}\ndata: ${data}\n\n`) }
}

/** https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_ResponseStream.html (read 2026-11-21) */
const ERROR_TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries<string>({
    throttlingException: 'rate_limit_error',
    serviceUnavailableException: 'overloaded_error',
    modelNotReadyException: 'overloaded_error',
    modelTimeoutException: 'timeout_error',
    validationException: 'invalid_request_error',
    accessDeniedException: 'permission_error',
  }),
)

function errorEvent(exception: string, data: string): Json {
  const message = asString(memberOf(data, 'message')) ?? asString(memberOf(data, 'Message')) ?? exception
  const known = exception.charAt(0).toLowerCase() + exception.slice(1)
  return { type: 'error', error: { type: ERROR_TYPES.get(known) ?? 'api_error', message } }
}

function memberOf(json: string, name: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value[name] : undefined
  } catch {
    return undefined // not JSON: there is nothing in it for a client
  }
}
