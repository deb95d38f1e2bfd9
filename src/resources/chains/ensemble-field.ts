/** Which steps of a chain answer together, between the wire and the rules. */
import { type Static, Type } from '@sinclair/typebox'
import { choice } from '../../http/choice.ts'
import { CLOSED } from '../../http/closed.ts'
import type { FieldErrors } from '../../http/envelope.ts'
import { attemptsNeeded, type Ensemble, ENSEMBLE_MODES, PANEL_MAX, PANEL_MIN } from '../../routing/strategy/ensemble.ts'
import type { ChainRules } from './chain.ts'

const StepId = Type.String({ minLength: 1, maxLength: 40 })

export const EnsembleField = Type.Object(
  {
    panel: Type.Array(StepId, {
      minItems: PANEL_MIN,
      maxItems: PANEL_MAX,
      uniqueItems: true,
      description: 'ids of the steps that are asked at once, the one to trust most in front',
    }),
    judge: Type.String({ minLength: 1, maxLength: 40, description: 'the id of the step that judges their answers' }),
    mode: choice(ENSEMBLE_MODES),
  },
  { ...CLOSED, description: 'for the strategy `ensemble`, and for no other' },
)
export const EnsembleWire = Type.Object(
  { panel: Type.Array(Type.String()), judge: Type.String(), mode: Type.String() },
  CLOSED,
)

export function ensembleToWire({ panel, judge, mode }: Ensemble): Static<typeof EnsembleWire> {
  return { panel: [...panel], judge, mode }
}

/** What no field can say alone, by dotted path. */
export function ensembleProblems({ strategy, ensemble, serves, steps, retry }: ChainRules): FieldErrors {
  if (strategy !== 'ensemble') return ensemble === null ? {} : { ensemble: ['is for the strategy ensemble alone'] }
  if (ensemble === null) return { ensemble: ['is required for the strategy ensemble'] }
  const errors: Record<string, readonly string[]> = {}
  const check = (path: string, id: string): void => {
    const step = steps.find((one) => one.id === id)
    if (step === undefined) errors[path] = ['is not the id of a step']
    else if (!step.enabled) errors[path] = ['is a step that is switched off']
  }
  for (const [at, id] of ensemble.panel.entries()) check(`ensemble.panel.${at}`, id)
  check('ensemble.judge', ensemble.judge)
  if (serves !== 'chat') errors['strategy'] = ['can be ensemble for chats alone']
  const needed = attemptsNeeded(ensemble)
  if (retry.totalAttempts < needed)
    errors['retry.total_attempts'] = [`must be at least ${needed}: one for each of the panel and one for the judge`]
  return errors
}
