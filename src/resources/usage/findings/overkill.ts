import type { Rates } from '../../../catalog/price.ts'
import { usdFromNano } from '../../../core/money.ts'
import { SHORT_INPUT, SHORT_OUTPUT } from '../../../ledger/rollup/tally.ts'
import type { ModelReport } from '../usage.ts'
import { type Facts, type Finding, percent, shownUsd } from './finding.ts'

const SHORT_MIN = 100
const SHORT_SHARE_MIN = 0.5
const COST_NANO_MIN = 1e9
/** A model that is so much cheaper is worth a try. */
const PRICE_RATIO_MAX = 1 / 3
/** Whether it answers reliably here can be told from so many requests. */
const PROVEN_REQUESTS = 50
const PROVEN_OK_SHARE = 0.95

interface Cheaper {
  readonly model: string
  readonly ratio: number
}

/**
 * Many short answers to short questions, without tools and without thinking, from a dear model, while a much cheaper one is in use
 * here as well. Whether that would do is for people to say: nobody has read the answers.
 */
export function modelOverkill(facts: Facts): readonly Finding[] {
  return facts.models.flatMap((report) => {
    const { model, ok, short, shortCostNano } = report
    const isMuch = short >= SHORT_MIN && short >= SHORT_SHARE_MIN * ok && shortCostNano >= COST_NANO_MIN
    const cheaper = isMuch ? cheapestBeside(report, facts) : undefined
    if (cheaper === undefined) return []
    return [findingOf({ model, ok, short, shortCostNano }, cheaper)]
  })
}

function findingOf(
  { model, ok, short, shortCostNano }: Pick<ModelReport, 'model' | 'ok' | 'short' | 'shortCostNano'>,
  cheaper: Cheaper,
): Finding {
  return {
    kind: 'model_overkill',
    severity: 'info',
    text: `${percent(short / ok)} of the answers of ${model} are short (up to ${SHORT_OUTPUT} tokens, to at most ${SHORT_INPUT}, without tools) and cost ${shownUsd(shortCostNano)}; ${cheaper.model} may do for them at about ${percent(cheaper.ratio)} of the price.`,
    evidence: {
      model,
      short_answers: short,
      answers: ok,
      short_usd: usdFromNano(shortCostNano),
      cheaper_model: cheaper.model,
      price_ratio: cheaper.ratio,
    },
    action: { text: 'Try a chain that sends short questions to the cheaper model', path: '/chains/new' },
  }
}

/** Among the models that are in use and answer reliably. */
function cheapestBeside(report: ModelReport, { models, ratesOf }: Facts): Cheaper | undefined {
  const own = ratesOf(report.model)
  if (own === undefined) return undefined
  const cheaper = models.flatMap((other): Cheaper[] => {
    const rates = isProven(other) ? ratesOf(other.model) : undefined
    const ratio = rates === undefined ? Infinity : ratioOf(rates, own)
    return ratio <= PRICE_RATIO_MAX ? [{ model: other.model, ratio }] : []
  })
  return cheaper.toSorted((a, b) => a.ratio - b.ratio)[0]
}

function isProven({ requests, ok, cancelled }: ModelReport): boolean {
  return requests >= PROVEN_REQUESTS && ok >= PROVEN_OK_SHARE * (requests - cancelled)
}

/** By whichever price is the nearer one. A free model costs nothing only if both do. */
function ratioOf(rates: Rates, own: Rates): number {
  return own.input === 0 || own.output === 0 ? Infinity : Math.max(rates.input / own.input, rates.output / own.output)
}
