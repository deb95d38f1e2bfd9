import { SplitBar, Swatch } from '../../components/bars.tsx'
import { Facts } from '../../components/facts.tsx'
import { Money } from '../../components/money.tsx'
import { countText } from '../../format/count.ts'
import type { RequestDetail } from '../../wire.ts'

interface TokenPart {
  readonly id: string
  readonly label: string
  readonly value: number
}

/** What the prompt and the answer were made of, and what the whole cost. */
export function RequestTokens({ request }: { request: RequestDetail }) {
  const parts = partsOf(request.tokens).filter(({ value }) => value > 0)
  return (
    <div className="grid gap-3">
      {parts.length > 0 && <SplitBar parts={parts} />}
      <table className="w-full text-dense">
        <caption className="sr-only">Tokens by kind</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Kind</th>
            <th scope="col">Tokens</th>
          </tr>
        </thead>
        <tbody>
          {parts.map(({ id, label, value }, at) => (
            <tr key={id}>
              <th scope="row" className="py-1 text-left font-normal">
                <span className="inline-flex items-center gap-2">
                  <Swatch at={at} /> {label}
                </span>
              </th>
              <td className="py-1 text-right text-muted">{countText(value)}</td>
            </tr>
          ))}
          <tr className="border-t border-line font-semibold">
            <th scope="row" className="pt-2 text-left">
              Cost
            </th>
            <td className="pt-2 text-right">
              <TotalCost request={request} />
            </td>
          </tr>
        </tbody>
      </table>
      <p className="text-caption text-muted">{sourceText(request)}</p>
      <Saved request={request} />
    </div>
  )
}

function TotalCost({ request: { status, cost_usd, cost_source } }: { request: RequestDetail }) {
  if (status === 'open') return <>–</>
  return (
    <Money
      usd={cost_usd}
      source={status !== 'ok' && cost_source === 'free' ? null : cost_source}
      exact={cost_usd !== 0}
    />
  )
}

/** What it would have cost more, or less where the sign is minus. Nothing is said where nothing was saved. */
function Saved({ request: { saved_usd: saved } }: { request: RequestDetail }) {
  const parts = [
    ['By prompt caches', saved.cache],
    ['By affinity', saved.affinity],
    ['By routing', saved.routing],
  ] as const
  const items = parts.filter(([, usd]) => usd !== 0)
  if (items.length === 0) return null
  return (
    <div className="border-t border-line pt-3">
      <p className="mb-1.5 text-dense font-semibold">Saved</p>
      <Facts items={items.map(([label, usd]) => [label, <Money key={label} usd={usd} exact />])} />
    </div>
  )
}

const EXTRA = [
  ['audio_in', 'Audio in'],
  ['audio_out', 'Audio out'],
  ['image_in', 'Images in'],
] as const

/** Reasoning is a part of the output, so the rest of it is shown apart; the sum of all parts is what was billed by token. */
function partsOf(tokens: RequestDetail['tokens']): readonly TokenPart[] {
  return [
    { id: 'uncached', label: 'Input, uncached', value: tokens.input_uncached },
    { id: 'read', label: 'Cache read', value: tokens.cache_read },
    { id: 'write-5m', label: 'Cache write, 5 min', value: tokens.cache_write_5m },
    { id: 'write-1h', label: 'Cache write, 1 h', value: tokens.cache_write_1h },
    { id: 'output', label: 'Output', value: Math.max(0, tokens.output - tokens.reasoning) },
    { id: 'reasoning', label: 'Reasoning', value: tokens.reasoning },
    ...EXTRA.map(([id, label]) => ({ id, label, value: tokens[id] })),
  ]
}

const SOURCES: Readonly<Record<string, string>> = {
  priced: 'From the built-in price list.',
  override: 'From your own price.',
  estimated: 'Estimated: the provider did not say how many tokens it counted.',
  unknown: 'No price is known for this model, so no amount is shown.',
}

function sourceText({ status, cost_source, tokens_estimated, units, attempts }: RequestDetail): string {
  if (status === 'open') return 'Known when the answer is complete.'
  const failed = attempts.filter(({ class: kind, cost_usd }) => kind !== null && cost_usd === 0).length
  const unbilled =
    status === 'ok' && failed > 0
      ? `${failed === 1 ? 'The failed try was' : `${failed} failed tries were`} not billed.`
      : ''
  const free = status === 'ok' ? 'Local or demo: nothing is billed.' : 'Nothing was billed.'
  const source = cost_source === 'free' ? free : (SOURCES[cost_source ?? ''] ?? '')
  const tokens = tokens_estimated && cost_source !== 'estimated' ? 'Tokens are estimated.' : ''
  const searches = units.searches > 0 ? `${countText(units.searches)} web searches.` : ''
  return [source, tokens, searches, unbilled].filter((text) => text !== '').join(' ')
}
