import { Plus } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useAnnounce } from '../../app-context.ts'
import { Button } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { classNames } from '../../components/class-names.ts'
import { TargetOptions } from '../../components/target.tsx'
import type { ChainStepUsage } from '../../wire.ts'
import { type ChainFields, moved, newStep, type StepFields } from './chain-draft.ts'
import { StepCard } from './step-card.tsx'
import { StepRail } from './step-rail.tsx'
import { type StepTrial, warningsOf } from './words.ts'

export interface StepsEditorProps {
  readonly fields: ChainFields
  readonly onChange: (steps: readonly StepFields[]) => void
  readonly usage: readonly ChainStepUsage[]
  /** What the simulation says, as far as it has said anything. */
  readonly trials: readonly StepTrial[]
  /** Of the API, by the paths of steps. */
  readonly warnings: readonly string[]
  /** What is wrong with the steps together. */
  readonly problem: string | undefined
}

const STEPS_MAX = 32

/** The steps in their order. They are moved by dragging, and by two buttons each. */
export function StepsEditor({ fields, onChange, usage, trials, warnings, problem }: StepsEditorProps) {
  const { steps, slug, strategy } = fields
  const { move, buttons } = useMoving(steps, onChange)
  const drag = useDragging(move)
  const announce = useAnnounce()
  function remove(at: number): void {
    onChange(steps.toSpliced(at, 1))
    announce(`Step ${at + 1} removed`)
  }
  return (
    <TargetOptions except={`chain/${slug}`}>
      {(list) => (
        <>
          <ol aria-label="Steps" ref={buttons} className="grid gap-2.5">
            {steps.map((step, at) => (
              <li
                key={step.id}
                {...drag.over(at)}
                className={classNames(
                  'grid grid-cols-[1.5rem_minmax(0,1fr)] gap-x-2.5 rounded-card md:grid-cols-[2rem_minmax(0,1fr)]',
                  drag.target === at && 'outline-2 outline-offset-2 outline-accent',
                  drag.from === at && 'opacity-55',
                )}
              >
                <StepRail at={at} isLast={at === steps.length - 1} trial={trials.find(({ id }) => id === step.id)} />
                <StepCard
                  at={at}
                  step={step}
                  count={steps.length}
                  strategy={strategy}
                  list={list}
                  usage={usage.find(({ id }) => id === step.id)}
                  trial={trials.find(({ id }) => id === step.id)}
                  warnings={warningsOf(warnings, at)}
                  handle={drag.handle(at)}
                  onChange={(next) => onChange(steps.with(at, next))}
                  onMove={(by) => move(at, at + by)}
                  onRemove={() => remove(at)}
                />
              </li>
            ))}
          </ol>
          {problem !== undefined && <Callout tone="danger">The steps do not fit together: {problem}.</Callout>}
          <div>
            <Button
              icon={Plus}
              onClick={() => onChange([...steps, newStep(steps)])}
              {...(steps.length >= STEPS_MAX && { disabledBecause: `A chain has at most ${STEPS_MAX} steps` })}
            >
              Add a step
            </Button>
          </div>
        </>
      )}
    </TargetOptions>
  )
}

/** Moves a step, says where it is now, and keeps the focus on the button that moved it. */
function useMoving(steps: readonly StepFields[], onChange: StepsEditorProps['onChange']) {
  const announce = useAnnounce()
  const buttons = useRef<HTMLOListElement>(null)
  const held = useRef<Element>(null)
  useEffect(() => {
    if (held.current instanceof HTMLElement) held.current.focus()
    held.current = null
  }, [steps])
  function move(from: number, to: number): void {
    const next = moved(steps, from, to)
    if (next === steps) return
    const { activeElement } = document
    held.current = buttons.current?.contains(activeElement) === true ? activeElement : null
    onChange(next)
    announce(`Step ${from + 1} is now step ${to + 1} of ${steps.length}`)
  }
  return { move, buttons }
}

/** Dragging by the handle alone, so that text in the fields can still be chosen with the mouse. */
function useDragging(move: (from: number, to: number) => void) {
  const [from, setFrom] = useState<number>()
  const [target, setTarget] = useState<number>()
  function end(): void {
    setFrom(undefined)
    setTarget(undefined)
  }
  return {
    from,
    target: target === from ? undefined : target,
    handle: (at: number) => ({ draggable: true, onDragStart: () => setFrom(at), onDragEnd: end }),
    over: (at: number) => ({
      onDragOver: (event: { preventDefault(): void }) => {
        if (from === undefined) return
        event.preventDefault()
        setTarget(at)
      },
      onDrop: (event: { preventDefault(): void }) => {
        event.preventDefault()
        if (from !== undefined) move(from, at)
        end()
      },
    }),
  }
}
