/** What the errors of AWS mean, whichever of its formats they come in. */
import type { FailureKind } from '../core/failure.ts'
import { saysBadKey, saysRefusedContent, saysTooLong, saysUnpaid, type ErrorFacts } from './upstream-error.ts'

/** The header in which AWS says what kind of error it is. */
export const AWS_ERROR_TYPE = 'x-amzn-errortype'

type Kind = FailureKind | 'model' | 'request' | 'access'

// https://docs.aws.amazon.com/bedrock/latest/APIReference/CommonErrors.html and
// https://docs.aws.amazon.com/bedrock/latest/userguide/troubleshooting-api-error-codes.html (read 2026-11-21)
const KINDS: ReadonlyMap<string, Kind> = new Map<string, Kind>([
  ['validation', 'request'],
  ['conflict', 'request'],
  ['servicequotaexceeded', 'rate_limit'],
  ['accessdenied', 'access'],
  ['unrecognizedclient', 'auth'],
  ['invalidsignature', 'auth'],
  ['incompletesignature', 'auth'],
  ['invalidclienttokenid', 'auth'],
  ['missingauthenticationtoken', 'auth'],
  ['expiredtoken', 'auth'],
  ['notauthorized', 'access'],
  ['resourcenotfound', 'not_entitled'],
  ['throttling', 'rate_limit'],
  ['toomanyrequests', 'rate_limit'],
  ['modelnotready', 'overloaded'],
  ['serviceunavailable', 'overloaded'],
  ['modeltimeout', 'timeout'],
  ['modelerror', 'model'],
  ['modelstreamerror', 'model'],
  ['internalserver', 'server'],
  ['internalfailure', 'server'],
])

/** By the type where it is known, else by the status. */
export function awsFailureKind(status: number, type: string, facts: ErrorFacts): FailureKind {
  const kind = KINDS.get(typeName(type)) ?? kindOfStatus(status)
  if (kind === 'access') return saysUnpaid(facts) ? 'billing' : isAboutCredential(facts) ? 'auth' : 'not_entitled'
  if (kind === 'model') return kindOfModelError(status)
  return kind === 'request' ? kindOfRequest(facts) : kind
}

/** `ThrottlingException:http://internal.amazon.com/…`, `com.amazon#ThrottlingException` and `throttlingException` are one. */
function typeName(type: string): string {
  const [named = ''] = type.split(':', 1)
  return named
    .slice(named.lastIndexOf('#') + 1)
    .toLowerCase()
    .replace(/exception$/, '')
}

function kindOfStatus(status: number): Kind {
  if (status === 401) return 'auth'
  if (status === 402) return 'billing'
  if (status === 403) return 'access'
  if (status === 404) return 'not_entitled'
  if (status === 408) return 'timeout'
  if (status === 429) return 'rate_limit'
  if (status === 503) return 'overloaded'
  return status >= 400 && status < 500 && status !== FAILED_MODEL ? 'request' : 'server'
}

const FAILED_MODEL = 424

/** The host of the model failed; what it said counts only where waiting helps. */
function kindOfModelError(status: number): FailureKind {
  if (status === 429) return 'rate_limit'
  return status === 503 || status === 529 ? 'overloaded' : 'server'
}

const SIGNATURE_IS_BAD = /security token|signature|not authenticated/i

function isAboutCredential(facts: ErrorFacts): boolean {
  return saysBadKey(facts) || SIGNATURE_IS_BAD.test(facts.message)
}

/** A model that does not exist, or is not offered in this way, is refused as if the request were wrong. */
const MODEL_IS_UNKNOWN = /model identifier is invalid|on-demand throughput (?:isn|is no)|end of its life/i

function kindOfRequest(facts: ErrorFacts): FailureKind {
  if (MODEL_IS_UNKNOWN.test(facts.message)) return 'not_entitled'
  if (saysTooLong(facts)) return 'context_too_long'
  if (saysUnpaid(facts)) return 'billing'
  return saysRefusedContent(facts) ? 'refused_content' : 'rejected'
}
