import { exactMoney, moneyText, nanoFromUsd } from '../format/money.ts'

export interface MoneyProps {
  /** Decimal dollars, as the API sends them; null: not known yet. */
  readonly usd: number | null
  /** The API's `cost_source`: `free` and `unknown` are words, `estimated` gets a sign. */
  readonly source?: string | null
  /** All nine decimals. */
  readonly exact?: boolean
}

/** An amount as design rules have it; all nine decimals on hover. */
export function Money({ usd, source, exact = false }: MoneyProps) {
  if (source === 'free') return <>free</>
  if (source === 'unknown') return <span title="No price is known for this model">unpriced</span>
  if (usd === null) return <>–</>
  const nano = nanoFromUsd(usd)
  const sign = source === 'estimated' ? '≈ ' : ''
  if (exact) return <>{sign + exactMoney(nano)}</>
  const { text, faint } = moneyText(nano)
  return (
    <span title={exactMoney(nano)}>
      {sign + text}
      {faint !== '' && <span className="text-faint">{faint}</span>}
    </span>
  )
}
