import type { Route } from '../routing/route.ts'
import { RETIREMENT_NOTICE_MS } from '../routing/rule.ts'

// https://www.rfc-editor.org/rfc/rfc8594 (read 2026-11-21)
/** What tells the callers of a name that it ends soon, and what to ask for instead. */
export function retirementHeaders(route: Route, nowMs: number): Readonly<Record<string, string>> {
  const retires = route.kind === 'rule' ? route.rule.retires : undefined
  if (retires === undefined || retires.atMs - nowMs > RETIREMENT_NOTICE_MS) return {}
  const sunset = { sunset: new Date(retires.atMs).toUTCString() }
  return retires.replacedBy === null ? sunset : { ...sunset, 'x-gateway-replaced-by': retires.replacedBy }
}
