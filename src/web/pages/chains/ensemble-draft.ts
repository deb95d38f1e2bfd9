/** Which steps answer together, as a form holds it. Pure. */
import type { ChainFields, StepFields } from './chain-draft.ts'

export type EnsembleFields = NonNullable<ChainFields['ensemble']>

/** As many as the API takes. */
export const PANEL_MAX = 8

/** To begin with: all but the last are asked, and the last one judges. */
export function firstEnsemble(steps: readonly StepFields[]): EnsembleFields {
  const ids = steps.map(({ id }) => id)
  return { panel: ids.slice(0, -1).slice(0, PANEL_MAX), judge: ids.at(-1) ?? '', mode: 'pick' }
}

/** The panel in the order of the steps, with one more or one less. */
export function withMember(
  ensemble: EnsembleFields,
  steps: readonly StepFields[],
  id: string,
  isMember: boolean,
): EnsembleFields {
  const panel = steps.map((step) => step.id).filter((one) => (one === id ? isMember : ensemble.panel.includes(one)))
  return { ...ensemble, panel }
}

/** Without steps that were removed, and in the order that the others have now. */
export function among(ensemble: EnsembleFields, steps: readonly StepFields[]): EnsembleFields {
  const ids = steps.map(({ id }) => id)
  const judge = ids.includes(ensemble.judge) ? ensemble.judge : (ids.at(-1) ?? '')
  return { ...ensemble, panel: ids.filter((id) => ensemble.panel.includes(id)), judge }
}
