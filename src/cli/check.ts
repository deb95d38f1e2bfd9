/** What `doctor` found out about one thing. */
export interface Check {
  readonly name: string
  /** `warn`: it works, but not as well as it could. `fail`: the gateway will not start, or not run safely. */
  readonly verdict: 'ok' | 'warn' | 'fail'
  readonly detail: string
}

export function passed(name: string, detail: string): Check {
  return { name, verdict: 'ok', detail }
}

export function warned(name: string, detail: string): Check {
  return { name, verdict: 'warn', detail }
}

export function failed(name: string, detail: string): Check {
  return { name, verdict: 'fail', detail }
}
