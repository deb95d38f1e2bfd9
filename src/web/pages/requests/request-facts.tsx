import { ScrollText } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Badge } from '../../components/badge.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { countText, plural } from '../../format/count.ts'
import { AccountName, KeyName, shortId, useNames } from '../../names.tsx'
import { planHref, usePlan } from '../../plans.ts'
import type { RequestDetail, Skill } from '../../wire.ts'

type Fact = readonly [name: string, value: ReactNode]

/** Who asked, and for what. */
export function WhoAsked({ request }: { request: RequestDetail }) {
  const { key_id, plan_id, user_tag, client, endpoint, session_id, model_asked, alias, chain_id, tags, stream } =
    request
  const facts: readonly (Fact | undefined)[] = [
    [
      'Key',
      key_id === null ? (
        'none'
      ) : (
        <TextLink to={`/requests?key_id=${encodeURIComponent(key_id)}`}>
          <KeyName id={key_id} />
        </TextLink>
      ),
    ],
    plan_id === null ? undefined : ['Plan', <PlanName key="plan" id={plan_id} />],
    user_tag === null ? undefined : ['On behalf of', user_tag],
    ['Client', client ?? 'not known'],
    ['Endpoint', `${endpoint}${stream ? ', streamed' : ''}`],
    ['Asked for', <code key="asked">{model_asked}</code>],
    alias === null || alias === model_asked ? undefined : ['Alias', <AliasLink key="alias" alias={alias} />],
    chain_id === null ? undefined : ['Chain', <ChainName key="chain" id={chain_id} />],
    session_id === null
      ? undefined
      : [
          'Session',
          <TextLink key="session" to={`/requests?session_id=${encodeURIComponent(session_id)}`}>
            {shortId(session_id)}
          </TextLink>,
        ],
    Object.keys(tags).length === 0 ? undefined : ['Tags', <Tags key="tags" tags={tags} />],
  ]
  return <Facts items={facts.filter((fact) => fact !== undefined)} />
}

function PlanName({ id }: { id: string }) {
  return <TextLink to={planHref({ id })}>{usePlan(id)?.name ?? shortId(id)}</TextLink>
}

function AliasLink({ alias }: { alias: string }) {
  return <TextLink to={`/aliases/one?alias=${encodeURIComponent(alias)}`}>{alias}</TextLink>
}

function ChainName({ id }: { id: string }) {
  const name = useNames('/v1/chains').find((chain) => chain.id === id)?.name
  return <TextLink to={`/chains/${encodeURIComponent(id)}`}>{name ?? shortId(id)}</TextLink>
}

function Tags({ tags }: { tags: RequestDetail['tags'] }) {
  return (
    <span className="flex flex-wrap gap-1">
      {Object.entries(tags).map(([name, value]) => (
        <Badge key={name}>{`${name}=${value}`}</Badge>
      ))}
    </span>
  )
}

/** What was known before any provider was asked. */
export function WhatItHeld({ request: { facts } }: { request: RequestDetail }) {
  const items: readonly (Fact | undefined)[] = [
    ['Input, estimated', plural(facts.input_tokens_est, 'token')],
    ['Answer, at most', facts.max_tokens === null ? 'not said' : plural(facts.max_tokens, 'token')],
    facts.tools === 0 ? undefined : ['Tools', countText(facts.tools)],
    facts.images === 0 ? undefined : ['Images', countText(facts.images)],
    facts.documents === 0 ? undefined : ['Documents', countText(facts.documents)],
    facts.thinking ? ['Thinking', 'asked for'] : undefined,
    facts.structured_output ? ['Structured output', 'asked for'] : undefined,
  ]
  return <Facts items={items.filter((item) => item !== undefined)} />
}

/** How it was carried from one wire format to the other, and what could not be. */
export function Translation({ request }: { request: RequestDetail }) {
  const { dialect_in, dialect_out, dropped, attempts } = request
  if (attempts.length === 0 || dialect_in === null || dialect_out === null) return <>Nothing was sent.</>
  const way =
    dialect_in === dialect_out
      ? `Passed through as ${dialectName(dialect_in)}`
      : `${dialectName(dialect_in)} to ${dialectName(dialect_out)} and back`
  if (dropped.length === 0) {
    return (
      <>
        <span className="text-muted">{way},</span> nothing dropped
      </>
    )
  }
  return (
    <>
      <p className="text-muted">{way}, without:</p>
      <p className="mt-1.5 flex flex-wrap gap-1.5">
        {dropped.map((field) => (
          <Badge key={field} tone="caution" mono>
            {field}
          </Badge>
        ))}
      </p>
    </>
  )
}

const DIALECTS: Readonly<Record<string, string>> = {
  anthropic_messages: 'Messages',
  openai_chat: 'Chat',
  openai_completions: 'Completions',
  openai_responses: 'Responses',
  gemini: 'Gemini',
  ollama: 'Ollama',
  bedrock_converse: 'Converse',
  cohere_v2: 'Cohere',
}

function dialectName(dialect: string): string {
  return DIALECTS[dialect] ?? dialect
}

/** Texts that were added to the system prompt, in their order. */
export function SkillsAdded({ request: { skills } }: { request: RequestDetail }) {
  if (skills.length === 0) return <span className="text-muted">None</span>
  return (
    <span className="flex flex-wrap gap-1.5">
      {skills.map((id) => (
        <SkillBadge key={id} id={id} />
      ))}
    </span>
  )
}

function SkillBadge({ id }: { id: string }) {
  const api = useApi()
  const { data } = useQuery({
    queryKey: ['/v1/skills', 'name', id],
    queryFn: ({ signal }) =>
      api.get<Skill>(`/v1/skills/${encodeURIComponent(id)}`, { signal }).then(
        ({ name }) => name,
        (error: unknown) => {
          if (error instanceof ApiError && error.status === 404) return null // deleted since
          throw error
        },
      ),
    staleTime: Number.POSITIVE_INFINITY,
  })
  return (
    <Badge icon={ScrollText} mono={!data}>
      {data ?? shortId(id)}
    </Badge>
  )
}

/** Ids for looking elsewhere: at the provider, in a log of one's own. */
export function Identifiers({ request }: { request: RequestDetail }) {
  const { id, attempts, ip_hash, trace_id, http, stop_reason, service_tier } = request
  const last = attempts.at(-1)
  const items: readonly (Fact | undefined)[] = [
    ['Request', <CopiedId key="id" id={id} what="request" />],
    last?.upstream_request_id
      ? ['At the provider', <CopiedId key="upstream" id={last.upstream_request_id} what="provider’s request" />]
      : undefined,
    last?.account ? ['Account', <AccountName key="account" id={last.account} />] : undefined,
    ['Status', http === null ? '–' : countText(http)],
    stop_reason === null ? undefined : ['Stopped by', <code key="stop">{stop_reason}</code>],
    service_tier === null ? undefined : ['Service tier', service_tier],
    trace_id === null ? undefined : ['Trace', <CopiedId key="trace" id={trace_id} what="trace" />],
    ip_hash === null ? undefined : ['Address, hashed', <code key="ip">{shortId(ip_hash)}</code>],
  ]
  return <Facts items={items.filter((item) => item !== undefined)} />
}

/** Shortened for the eye, whole on the clipboard. */
export function CopiedId({ id, what }: { id: string; what: string }) {
  return (
    <span className="-my-1.5 inline-flex items-center gap-0.5">
      <code title={id} className="text-caption">
        {shortId(id)}
      </code>
      <CopyButton text={id} label={`Copy the ${what} id`} />
    </span>
  )
}
