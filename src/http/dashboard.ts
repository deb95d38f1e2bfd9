import { Elysia, ParseError, ValidationError } from 'elysia'
import type { ValueError } from '@sinclair/typebox/errors'
import type { Log } from '../core/log.ts'
import { readJsonBody } from './json-body.ts'
import { invalid, type Refusal, refusal, RefusalError, refused } from './refusal.ts'
import { REQUEST_ID_HEADER, type RequestIds } from './request-id.ts'
import { fieldErrors } from './validation.ts'

export interface DashboardDeps {
  readonly requestIds: RequestIds
  readonly log: Log
}

/** Answers hold other people's data: no cache keeps them and no browser guesses what they are. */
const UNCACHED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/**
 * For routes that read their body themselves: their answers carry the request id and are not cached, and whatever is thrown
 * becomes an answer in the dashboard's envelope. An unexpected one is logged with the request id and answered without details.
 */
export function dashboardAnswers({ requestIds, log }: DashboardDeps) {
  return new Elysia({ name: 'dashboard-answers', normalize: false })
    .onTransform(({ request, set }) => {
      set.headers[REQUEST_ID_HEADER] = requestIds.of(request)
      Object.assign(set.headers, UNCACHED)
    })
    .onError(({ error, request, set }) => {
      const requestId = requestIds.of(request)
      set.headers[REQUEST_ID_HEADER] = requestId
      const known = refusalOf(error)
      if (known !== undefined) return refused(known)
      log.write('error', 'http', 'a dashboard call failed unexpectedly', {
        request_id: requestId,
        error: textOf(error),
      })
      return refused(refusal('internal', `something went wrong here; the log has it under ${requestId}`))
    })
    .as('scoped')
}

/** `dashboardAnswers` for routes with a JSON body: read whole, within bounds, before anything looks at it. */
export function dashboard(deps: DashboardDeps) {
  return new Elysia({ name: 'dashboard', normalize: false })
    .use(dashboardAnswers(deps))
    .onParse(async ({ request }) => {
      const body = await readJsonBody(request)
      if (!body.ok) throw new RefusalError(body.error) // a parser has no other way to refuse
      return body.value
    })
    .as('scoped')
}

function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof RefusalError) return error.refusal
  if (error instanceof ParseError) return error.cause instanceof RefusalError ? error.cause.refusal : undefined
  const isTheirs = error instanceof ValidationError && error.type !== 'response'
  return isTheirs ? invalid(fieldErrors(errorsOf(error))) : undefined
}

function errorsOf({ validator, value }: ValidationError): Iterable<ValueError> {
  return 'Errors' in validator ? validator.Errors(value) : []
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}
