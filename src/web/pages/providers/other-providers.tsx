import { Link } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { Card } from '../../components/card.tsx'
import { plural } from '../../format/count.ts'
import type { Provider } from '../../wire.ts'
import { ProviderMark } from './provider-mark.tsx'

export interface OtherProvidersProps {
  readonly providers: readonly Provider[]
  /** Capabilities by the API's names. */
  readonly words: Readonly<Record<string, string>>
}

/** Providers without an account, each one step from having one. */
export function OtherProviders({ providers, words }: OtherProvidersProps) {
  return (
    <Card title="Connect another" aside={plural(providers.length, 'provider')}>
      <ul className="grid gap-2 sm:grid-cols-2 lg:grid-cols-3 xl:grid-cols-4 min-[1800px]:grid-cols-6">
        {providers.map((provider) => (
          <li key={provider.id}>
            <Link
              to={`/providers/${provider.id}/add`}
              className="flex min-h-13 items-center gap-3 rounded-control border border-line px-3 py-2 hover:bg-hover"
            >
              <ProviderMark name={provider.name} />
              <span className="min-w-0 flex-1">
                <span className="block truncate text-dense font-semibold">{provider.name}</span>
                <span className="block truncate text-caption text-muted">{offerOf(provider, words)}</span>
              </span>
              <Plus aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0 text-muted" />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function offerOf({ capabilities, kind, models_count }: Provider, words: Readonly<Record<string, string>>): string {
  const offered = capabilities.map((name) => words[name] ?? name).join(', ')
  if (kind === 'local') return `${offered}, on your machines`
  return models_count === 0 ? offered : `${offered} · ${plural(models_count, 'model')}`
}
