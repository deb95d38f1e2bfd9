import { countText, percentText } from '../format/count.ts'

/** One stretch of time: how much was asked, how much of it failed. */
export interface Sleeper {
  readonly requests: number
  readonly failed: number
}

const SOME_ERRORS = 0.02
const MANY_ERRORS = 0.2
const [STEP, WIDTH, HEIGHT] = [6, 3.4, 16]

/** Health over time as the sleepers of a track: whole when clear, shorter above 2 % errors, split above 20 %, a dash without traffic. */
export function HealthStrip({ sleepers, label }: { sleepers: readonly Sleeper[]; label: string }) {
  const requests = sleepers.reduce((sum, sleeper) => sum + sleeper.requests, 0)
  const failed = sleepers.reduce((sum, sleeper) => sum + sleeper.failed, 0)
  const summary =
    requests === 0 ? 'no traffic' : `${countText(requests)} requests, ${percentText(failed / requests)} failed`
  return (
    <svg
      role="img"
      aria-label={`${label}: ${summary}`}
      viewBox={`0 0 ${sleepers.length * STEP} ${HEIGHT}`}
      className="lamp h-4 w-full max-w-60"
      preserveAspectRatio="xMinYMid meet"
    >
      {sleepers.map((sleeper, at) => (
        <path key={at} d={shapeOf(sleeper, at * STEP)} className={colourOf(sleeper)}>
          <title>{`${countText(sleeper.requests)} requests, ${countText(sleeper.failed)} failed`}</title>
        </path>
      ))}
    </svg>
  )
}

function shapeOf(sleeper: Sleeper, x: number): string {
  const box = (y: number, height: number): string => `M${x} ${y}h${WIDTH}v${height}h-${WIDTH}z`
  if (sleeper.requests === 0) return `M${x} 7.3h${WIDTH}v1.4h-${WIDTH}z`
  const share = sleeper.failed / sleeper.requests
  if (share > MANY_ERRORS) return box(1, 6) + box(9, 6)
  return share > SOME_ERRORS ? box(6, 9) : box(1, 14)
}

function colourOf({ requests, failed }: Sleeper): string {
  if (requests === 0) return 'fill-control'
  const share = failed / requests
  if (share > MANY_ERRORS) return 'fill-danger'
  return share > SOME_ERRORS ? 'fill-caution' : 'fill-clear'
}
