import { useState } from 'react'
import { Card } from '../../components/card.tsx'
import { countText, percentText, plural } from '../../format/count.ts'
import type { Chain, ChainStepUsage } from '../../wire.ts'
import { isAsked, type StepTrial } from './words.ts'

interface TracksCardProps {
  readonly chain: Chain
  readonly usage: readonly ChainStepUsage[]
  readonly trials: readonly StepTrial[]
}

interface Track {
  readonly id: string
  readonly name: string
  readonly answers: number
  /** 0 to 1. */
  readonly share: number
  /** The simulation would send the next request along it. */
  readonly isSet: boolean
}

/** Which steps answered in the last 24 hours, as tracks that are as wide as their share; nothing while none did. */
export function TracksCard({ chain, usage, trials }: TracksCardProps) {
  const [isTable, setTable] = useState(false)
  const tracks = tracksOf(chain, usage, trials)
  const answers = tracks.reduce((sum, track) => sum + track.answers, 0)
  if (answers === 0) return null
  return (
    <Card
      title="Where the last 24 hours went"
      action={
        <button
          type="button"
          onClick={() => setTable(!isTable)}
          className="touch min-h-6 text-caption text-muted hover:text-ink hover:underline"
        >
          {isTable ? 'Show as tracks' : 'Show as table'}
        </button>
      }
    >
      {isTable ? <TrackTable tracks={tracks} /> : <Tracks tracks={tracks} answers={answers} />}
    </Card>
  )
}

/** In the order of the steps; those that the chain no longer has come last. */
function tracksOf({ steps }: Chain, usage: readonly ChainStepUsage[], trials: readonly StepTrial[]): readonly Track[] {
  return usage.flatMap(({ id, model, ok, share }) => {
    const at = steps.findIndex((step) => step.id === id)
    if (share === null || (ok === 0 && at < 0)) return []
    const isSet = trials.some((trial) => trial.id === id && isAsked(trial))
    return [{ id, name: model === null ? 'a step that is gone' : `${at + 1}. ${model}`, answers: ok, share, isSet }]
  })
}

/** Of one track's place at the right, in pixels. */
const ROW = 32
/** All tracks together at the left. */
const ALL = 44
const THINNEST = 1.5
/** Where tracks have turned half of their way, of 100. */
const HALF = 50

function Tracks({ tracks, answers }: { tracks: readonly Track[]; answers: number }) {
  const height = Math.max(ALL, tracks.length * ROW)
  const said = tracks.map(({ name, share }) => `${name} ${percentText(share)}`).join(', ')
  return (
    <div
      role="img"
      aria-label={`${plural(answers, 'answer')} in 24 hours: ${said}`}
      className="flex items-center gap-0 text-dense"
    >
      <span className="grid shrink-0 content-center rounded-l-control bg-accent-soft px-3" style={{ height: ALL }}>
        <span className="font-semibold">{countText(answers)}</span>
        <span className="text-caption text-muted">answers</span>
      </span>
      <svg
        viewBox={`0 0 100 ${height}`}
        preserveAspectRatio="none"
        className="min-w-8 flex-1 overflow-visible"
        style={{ height }}
      >
        {ribbons(tracks, height).map(({ id, d, isSet }) => (
          <path key={id} d={d} className={isSet ? 'fill-accent' : 'fill-control'} />
        ))}
      </svg>
      <span className="grid w-1/2 min-w-0 shrink-0 xl:w-2/5" style={{ height, gridAutoRows: ROW }}>
        {tracks.map(({ id, name, share, isSet }) => (
          <span key={id} className="flex min-w-0 items-center gap-3 pl-2">
            <code className={isSet ? 'truncate font-medium' : 'truncate text-muted'}>{name}</code>
            <span className="ml-auto whitespace-nowrap">{percentText(share)}</span>
          </span>
        ))}
      </span>
    </div>
  )
}

interface Ribbon {
  readonly id: string
  readonly d: string
  readonly isSet: boolean
}

/** Side by side at the left, each at its row at the right, those without any answer left out. */
function ribbons(tracks: readonly Track[], height: number): readonly Ribbon[] {
  let top = (height - ALL) / 2
  return tracks.flatMap(({ id, share, isSet }, at) => {
    if (share === 0) return []
    const width = Math.max(THINNEST, share * ALL)
    const [from, to] = [top, at * ROW + ROW / 2 - width / 2]
    top += share * ALL
    return [{ id, isSet, d: ribbon(from, to, width) }]
  })
}

function ribbon(from: number, to: number, width: number): string {
  const there = `M0 ${from}C${HALF} ${from} ${HALF} ${to} 100 ${to}`
  const back = `V${to + width}C${HALF} ${to + width} ${HALF} ${from + width} 0 ${from + width}Z`
  return there + back
}

function TrackTable({ tracks }: { tracks: readonly Track[] }) {
  return (
    <div tabIndex={0} role="region" aria-label="Answers by step" className="overflow-x-auto">
      <table className="w-full text-dense">
        <thead className="text-left text-caption text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 font-medium">
              Step
            </th>
            <th scope="col" className="py-1 text-right font-medium">
              Answers
            </th>
            <th scope="col" className="py-1 pl-3 text-right font-medium">
              Share
            </th>
          </tr>
        </thead>
        <tbody>
          {tracks.map(({ id, name, answers, share }) => (
            <tr key={id} className="border-t border-line">
              <th scope="row" className="py-1.5 pr-3 text-left font-normal">
                <code>{name}</code>
              </th>
              <td className="py-1.5 text-right">{countText(answers)}</td>
              <td className="py-1.5 pl-3 text-right">{percentText(share)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
