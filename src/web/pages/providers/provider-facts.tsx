import { ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Card } from '../../components/card.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { plural } from '../../format/count.ts'
import type { Provider } from '../../wire.ts'

/** What the provider is, whoever has accounts there. */
export function ProviderFacts({ provider }: { provider: Provider }) {
  const { dialects, capabilities, env_names, docs_url, signup_url, regions } = provider
  const facts: (readonly [string, ReactNode])[] = [
    ['Id', <code key="id">{provider.id}</code>],
    ['Capabilities', capabilities.join(', ')],
    ...dialects.map(
      ({ dialect, base_url }) => [DIALECT_WORDS[dialect] ?? dialect, <code key={dialect}>{base_url}</code>] as const,
    ),
    ['Sign-in', provider.auth.schemes.map((scheme) => SCHEME_WORDS[scheme] ?? scheme).join(', ')],
  ]
  if (regions.length > 0) facts.push(['Regions', <code key="regions">{regions.join(', ')}</code>])
  facts.push(['Data', policyText(provider.data_policy)])
  if (env_names.length > 0) facts.push(['Variables', <code key="env">{env_names.join(', ')}</code>])
  return (
    <Card
      title="About"
      {...(provider.origin === 'custom' && {
        action: <TextLink to={`/custom-providers?q=${provider.id}`}>Edit</TextLink>,
      })}
    >
      <Facts items={facts} />
      {(docs_url !== null || signup_url !== null) && (
        <p className="mt-3 flex flex-wrap gap-x-4 gap-y-1 border-t border-line pt-3 text-dense">
          {signup_url !== null && <Outside href={signup_url}>Get a key</Outside>}
          {docs_url !== null && <Outside href={docs_url}>Documentation</Outside>}
        </p>
      )}
    </Card>
  )
}

/** `no training, kept for 30 days`: what is said of requests there. */
function policyText({ trains, retention_days, zdr }: Provider['data_policy']): string {
  const said = [
    ...(trains === null ? [] : [trains ? 'may train on requests' : 'no training on requests']),
    ...(retention_days === null || retention_days === 0
      ? []
      : [`keeps them for up to ${plural(retention_days, 'day')}`]),
    ...(zdr === true || retention_days === 0 ? ['keeps none of them'] : []),
  ]
  return said.length === 0 ? 'nobody says what becomes of requests' : said.join(', ')
}

export const DIALECT_WORDS: Readonly<Record<string, string>> = {
  openai_chat: 'Chat',
  openai_responses: 'Responses',
  anthropic_messages: 'Messages',
  gemini: 'Gemini',
  ollama: 'Ollama',
  bedrock_converse: 'Converse',
  cohere_v2: 'Cohere',
}

const SCHEME_WORDS: Readonly<Record<string, string>> = {
  bearer: 'Bearer key',
  'x-api-key': 'Key in x-api-key',
  'api-key': 'Key in api-key',
  'x-goog-api-key': 'Key in x-goog-api-key',
  query: 'Key in the address',
  sigv4: 'AWS access key',
  'gcp-sa': 'Service account',
  'oauth-client': 'Client id and secret',
  none: 'none',
}

/** Leaves the dashboard. */
export function Outside({ href, children }: { href: string; children: string }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 text-accent hover:underline"
    >
      {children}
      <ExternalLink aria-hidden="true" size={14} strokeWidth={1.75} />
      <span className="sr-only"> (in a new tab)</span>
    </a>
  )
}
