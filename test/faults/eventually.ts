import { until } from '../support/until.ts'

const LOOK_EVERY_MS = 25

/** As `until`, but looks only now and then: twenty tests that ask without a pause would themselves be the load. */
export function eventually(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  return until(async () => {
    if (await isSo()) return true
    await Bun.sleep(LOOK_EVERY_MS)
    return false
  }, what)
}
