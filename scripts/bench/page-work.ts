/** What a page's main thread works, task by task, in processor time: frames come late for the neighbours' sake too, this does not. */
import type { Page } from 'playwright-core'

/** Of Chromium's trace events, what is used here. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Processor time, microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

const MAIN_THREAD = 'CrRendererMain'
const TASK = /RunTask$/
const US_PER_MS = 1_000

/** Starts watching; the returned function ends it and tells the milliseconds of each task. */
export async function watchWork(page: Page): Promise<() => Promise<readonly number[]>> {
  const devTools = await page.context().newCDPSession(page)
  const events: TraceEvent[] = []
  devTools.on('Tracing.dataCollected', ({ value }) => void events.push(...(value as unknown as TraceEvent[]))) // the protocol leaves them untyped
  await devTools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel'] },
  })
  return async () => {
    const complete = new Promise<void>((resolve) => devTools.once('Tracing.tracingComplete', () => resolve()))
    await devTools.send('Tracing.end')
    await complete
    return busiest(events)
  }
}

/** The page's thread among those of all renderers: the others have nothing to do. */
function busiest(events: readonly TraceEvent[]): readonly number[] {
  const threads = events.filter(({ name, args }) => name === 'thread_name' && args?.name === MAIN_THREAD)
  const tasks = threads.map(({ pid, tid }) =>
    events
      .filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X' && TASK.test(event.name))
      .map(({ tdur = 0 }) => tdur / US_PER_MS),
  )
  return tasks.toSorted((a, b) => b.length - a.length)[0] ?? []
}
