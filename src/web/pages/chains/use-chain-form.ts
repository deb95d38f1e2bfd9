import { useState } from 'react'
import { type FormOptions, useForm } from '../../components/use-form.ts'
import { type Ask, FIRST_ASK, trialBody } from './ask.ts'
import type { ChainFields } from './chain-draft.ts'
import { useSimulation } from './data.ts'
import { faultsOf } from './live-errors.tsx'

/** The form of a chain and the simulation of what is typed in it. `id`: the chain that it changes. */
export function useChainForm(id: string | undefined, options: FormOptions<ChainFields>) {
  const form = useForm<ChainFields>(options)
  const [ask, setAsk] = useState<Ask>(FIRST_ASK)
  const body = trialBody(form.value, ask)
  const simulation = useSimulation(id, body)
  const isAnswered = body !== undefined && simulation.error === null
  return {
    form,
    faults: body === undefined ? {} : faultsOf(simulation.error),
    trials: isAnswered ? (simulation.data?.request?.steps ?? []) : [],
    warnings: isAnswered ? (simulation.data?.warnings ?? []) : [],
    simulationProps: { fields: form.value, ask, onAsk: setAsk, simulation },
  }
}
