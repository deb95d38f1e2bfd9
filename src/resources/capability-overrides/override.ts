import type { Sheet } from './sheet.ts'

/** A model at a provider, named as the provider names it. */
export interface ModelPlace {
  readonly provider: string
  readonly model: string
}

/** What an operator says of a model. One that says nothing is not kept. */
export interface CapabilityOverride extends ModelPlace {
  readonly id: string
  readonly sheet: Sheet
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** 0 stands for a model without an override. */
  readonly version: number
}

/** Providers' ids hold no slash, so this says both. */
export function overrideId({ provider, model }: ModelPlace): string {
  return `${provider}/${model}`
}
