import { Plus } from 'lucide-react'
import { ButtonLink } from '../../components/button-link.tsx'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { ScopeName } from '../../components/scope-name.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime } from '../../components/time.tsx'
import { countText } from '../../format/count.ts'
import { rateText } from '../../format/money.ts'
import {
  EACH_LABELS,
  EACH_NAMES,
  FACTOR_LABELS,
  FACTOR_NAMES,
  overrideText,
  RATE_LABELS,
  RATE_NAMES,
  type RateName,
  SOURCES,
} from '../../price-words.ts'
import { type NamedRate, pricingOverrides, useRateOf } from '../../prices.ts'
import type { PricingOverride } from '../../wire.ts'

const LISTED = 100

/** What the model costs now, where each figure comes from, and for whom it costs something else. */
export function PriceCard({ name }: { name: string }) {
  const query = useRateOf(name)
  const said = pricingOverrides.useList({ model: name, limit: LISTED, sort: 'priority' }).data?.data ?? []
  return (
    <Card
      title="Price"
      aside="$ per million tokens"
      flush
      action={
        <ButtonLink small to={`/models/prices/new?model=${encodeURIComponent(name)}`} icon={Plus}>
          Set a price
        </ButtonLink>
      }
    >
      <Loaded query={query} what="The price could not be read">
        {(rate) => (rate === null ? <Unknown /> : <Known rate={rate} said={said} />)}
      </Loaded>
      <ForSome overrides={said.filter(({ scope }) => scope !== 'global')} />
    </Card>
  )
}

function Unknown() {
  return (
    <p className="p-4 text-dense text-muted">
      No price is known, or nothing is billed. Requests without a price are counted as unpriced, and budgets may refuse
      them.
    </p>
  )
}

function Known({ rate, said }: { rate: NamedRate; said: readonly PricingOverride[] }) {
  const counting = said.find(({ id }) => id === rate.overridden_by)
  const extra = extraOf(rate)
  return (
    <>
      <div className="overflow-x-auto">
        <table className="w-full text-dense">
          <caption className="sr-only">Prices by kind of token</caption>
          <thead>
            <tr className="border-b border-line text-caption text-muted">
              <th scope="col" className={`${CELL} pl-4 text-left`}>
                Tokens
              </th>
              <th scope="col" className={`${CELL} text-right`}>
                Price
              </th>
              {rate.tiers.map(({ above_input_tokens: above }) => (
                <th key={above} scope="col" className={`${CELL} text-right`}>
                  above {countText(above)}
                </th>
              ))}
              <th scope="col" className={`${CELL} pr-4 text-left`}>
                From
              </th>
            </tr>
          </thead>
          <tbody>
            {shownNames(rate).map((name) => (
              <tr key={name} className="border-b border-line last:border-b-0">
                <th scope="row" className={`${CELL} pl-4 text-left`}>
                  {RATE_LABELS[name]}
                </th>
                <td className={`${CELL} text-right`}>{figureText(rate[name])}</td>
                {rate.tiers.map((tier) => (
                  <td key={tier.above_input_tokens} className={`${CELL} text-right`}>
                    {figureText(tier[name])}
                  </td>
                ))}
                <td className={`${CELL} pr-4 text-caption text-muted`}>{originOf(name, rate, counting)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {extra.length > 0 && (
        <div className="border-t border-line p-4">
          <Facts items={extra} />
        </div>
      )}
      <p className="border-t border-line px-4 py-2.5 text-caption text-muted">
        <Since rate={rate} />
        {rate.tiers.length > 0 && ' A longer prompt pays the price of its step for the whole request.'}
      </p>
    </>
  )
}

const CELL = 'py-1.5 px-2 font-normal whitespace-nowrap'

/** What costs the same as its kin is left out, so that the table says something. */
function shownNames(rate: NamedRate): readonly RateName[] {
  return RATE_NAMES.filter((name) => {
    if (name === 'reasoning') return rate.reasoning !== null
    if (name === 'audio_in' || name === 'image_in') return rate[name] !== rate.input
    return name !== 'audio_out' || rate.audio_out !== rate.output
  })
}

function figureText(usd: number | null): string {
  return usd === null ? '–' : rateText(usd)
}

/** Of a price that is set here, what was not said is still the catalogue's. */
function originOf(name: RateName, { source }: NamedRate, counting: PricingOverride | undefined): string {
  if (source !== 'override') return SOURCES[source]
  if (counting === undefined) return 'set by a pattern'
  if (counting.mode === 'multiply') return `× ${counting.multiplier}`
  return counting[name] === null ? 'catalogue' : SOURCES.override
}

function extraOf(rate: NamedRate): (readonly [string, string])[] {
  const fees = EACH_NAMES.filter((name) => rate[name] > 0).map(
    (name) => [EACH_LABELS[name], rateText(rate[name])] as const,
  )
  const factors = FACTOR_NAMES.flatMap((name) =>
    rate[name] === null ? [] : [[`${FACTOR_LABELS[name]} tier`, `× ${rate[name]}`] as const],
  )
  return [...fees, ...factors]
}

function Since({ rate: { source, effective_from: since } }: { rate: NamedRate }) {
  if (since === null)
    return <>{source === 'builtin' ? 'From the built-in price list.' : 'From the fetched price file.'}</>
  return (
    <>
      Since <ClockTime at={since} />.
    </>
  )
}

/** Prices that count for less than everybody, and only those that name the model itself. */
function ForSome({ overrides }: { overrides: readonly PricingOverride[] }) {
  if (overrides.length === 0) return null
  return (
    <div className="border-t border-line px-4 py-3 text-dense">
      <p className="mb-1.5 text-caption text-muted">For some it costs something else</p>
      <ul className="grid gap-1">
        {overrides.map((override) => (
          <li key={override.id} className="flex flex-wrap gap-x-3">
            <ScopeName override={override} /> <span className="ml-auto">{overrideText(override)}</span>
          </li>
        ))}
      </ul>
      <p className="mt-1.5">
        <TextLink to="/models/prices/set">All prices set here</TextLink>
      </p>
    </div>
  )
}
