import { useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { useGo, usePathParam, useSearch } from '../../address.ts'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { ButtonLink } from '../../components/button-link.tsx'
import { Callout } from '../../components/callout.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { IconButton } from '../../components/icon-button.tsx'
import { Loaded } from '../../components/loaded.tsx'
import { requestStatus, Status } from '../../components/status.tsx'
import { exactTimeText } from '../../format/time.ts'
import { addressOf } from '../../resource.ts'
import { useCommands } from '../../shell/commands.ts'
import { Page } from '../../shell/page.tsx'
import type { LoggedRequest, RequestDetail } from '../../wire.ts'
import { failureWhy, failureWord } from './failure-words.ts'
import { logHref, requestHref } from './log-filters.ts'
import { knownRow, type Neighbours, useNeighbours } from './neighbours.ts'
import { CopiedId, Identifiers, SkillsAdded, Translation, WhatItHeld, WhoAsked } from './request-facts.tsx'
import { RequestFigures } from './request-figures.tsx'
import { RequestRoute } from './request-route.tsx'
import { RequestTokens } from './request-tokens.tsx'
import { RequestWords } from './request-words.tsx'
import { outcomeTitle } from './route-steps.ts'
import { REQUESTS } from './use-request-log.ts'

const RUNNING_EVERY_MS = 1_000

export default function RequestPage() {
  const id = usePathParam('requestId')
  const [search] = useSearch()
  const api = useApi()
  const queries = useQueryClient()
  const query = useQuery<RequestDetail, ApiError>({
    queryKey: [REQUESTS, 'one', id],
    queryFn: ({ signal }) => api.get<RequestDetail>(addressOf(REQUESTS, id), { signal }),
    refetchInterval: ({ state }) => (state.data?.status === 'open' ? RUNNING_EVERY_MS : false),
  })
  const row = query.data ?? knownRow(queries, search, id)
  const neighbours = useNeighbours(row, search)
  const trail = [{ label: 'Requests', to: logHref(search) }]
  if (query.error?.status === 404) return <NoSuchRequest trail={trail} />
  return (
    <Page
      title={row === undefined ? 'Request' : outcomeTitle(row)}
      docs="requests"
      trail={trail}
      lead={row && <Lead request={row} />}
      actions={<Steps neighbours={neighbours} hrefOf={(other) => requestHref(other, search)} />}
    >
      <Loaded query={query} what="The request could not be read">
        {(request) => <Detail request={request} />}
      </Loaded>
    </Page>
  )
}

function NoSuchRequest({ trail }: { trail: readonly { label: string; to: string }[] }) {
  return (
    <Page title="No such request" trail={trail}>
      <EmptyState
        title="The log does not hold this request"
        action={<ButtonLink to="/requests">Open the log</ButtonLink>}
      >
        It was removed after its time, or its id is mistyped.
      </EmptyState>
    </Page>
  )
}

function Lead({ request }: { request: LoggedRequest }) {
  const at = new Date(request.at)
  const day = at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
  return (
    <>
      <span className="order-first">
        <Status name={requestStatus(request)} iconOnly />
      </span>
      <time dateTime={request.at} title={exactTimeText(at)} className="text-dense text-muted">
        {day} {at.toLocaleTimeString('en-GB')}.{String(at.getMilliseconds()).padStart(3, '0')}
      </time>
      <span className="text-muted">
        <CopiedId id={request.id} what="request" />
      </span>
    </>
  )
}

/** Up and down in the list that it was opened from. */
function Steps({ neighbours, hrefOf }: { neighbours: Neighbours; hrefOf: (id: string) => string }) {
  const go = useGo()
  const { newer, older } = neighbours
  const open = (id: string | undefined): void => {
    if (id !== undefined) go(hrefOf(id), { replace: true })
  }
  useCommands(
    useMemo(
      () => [
        { id: 'newer request', group: 'Show', label: 'Newer request', shortcut: 'K', run: () => open(newer) },
        { id: 'older request', group: 'Show', label: 'Older request', shortcut: 'J', run: () => open(older) },
      ],
      [newer, older, go],
    ),
  )
  return (
    <>
      <IconButton icon={ChevronUp} label="Newer request" disabled={newer === undefined} onClick={() => open(newer)} />
      <IconButton icon={ChevronDown} label="Older request" disabled={older === undefined} onClick={() => open(older)} />
    </>
  )
}

function Detail({ request }: { request: RequestDetail }) {
  return (
    <div className="grid gap-5 xl:grid-cols-[minmax(0,1fr)_18rem] xl:gap-6 min-[112.5rem]:grid-cols-[minmax(0,1fr)_22rem]">
      <div className="min-w-0 xl:col-span-2">
        <RequestFigures request={request} />
      </div>
      <div className="grid min-w-0 content-start gap-4">
        <WhyItFailed request={request} />
        <section aria-labelledby="route">
          <h2 id="route" className="mb-2.5 flex flex-wrap items-baseline gap-x-2.5 text-dense font-semibold">
            Route <code className="font-normal">{request.model_asked}</code>
            <span className="font-normal text-muted">{routeSummary(request)}</span>
          </h2>
          <RequestRoute request={request} />
        </section>
        <div className="grid gap-4 md:grid-cols-3">
          <Box title="Skills added">
            <SkillsAdded request={request} />
          </Box>
          <Box title="Translation">
            <Translation request={request} />
          </Box>
          <Box title="What it held">
            <WhatItHeld request={request} />
          </Box>
        </div>
        <section aria-labelledby="words">
          <h2 id="words" className="mb-2.5 text-dense font-semibold">
            Messages
          </h2>
          <RequestWords request={request} />
        </section>
      </div>
      <aside className="grid min-w-0 content-start gap-5 border-line max-xl:border-t max-xl:pt-5 xl:border-l xl:pl-6">
        <Aside title="Who asked">
          <WhoAsked request={request} />
        </Aside>
        <Aside title="Tokens and cost">
          <RequestTokens request={request} />
        </Aside>
        <Aside title="Identifiers">
          <Identifiers request={request} />
        </Aside>
      </aside>
    </div>
  )
}

function routeSummary({ route, attempts }: RequestDetail): string {
  const considered = Math.max(route.length, attempts.length)
  if (considered === 0) return ''
  return `${considered === 1 ? '1 candidate' : `${considered} candidates`}, ${attempts.length} tried`
}

/** The failure in words, as the client was told and as the provider said it. */
function WhyItFailed({ request }: { request: RequestDetail }) {
  const { status, error_class, attempts, http } = request
  if (status === 'ok' || status === 'open' || error_class === null) {
    return status === 'interrupted' ? (
      <Callout tone="danger">The gateway stopped while this request ran. What it cost is charged by estimate.</Callout>
    ) : null
  }
  const failed = attempts.findLast(({ class: kind }) => kind !== null)
  return (
    <Callout tone={status === 'cancelled' || status === 'blocked' ? 'caution' : 'danger'}>
      <strong className="font-semibold">{failureWord(error_class)}.</strong> {failureWhy(error_class)}{' '}
      {http !== null && status === 'error' && `The client got ${http}.`}
      {failed?.detail && (
        <span className="mt-1 block break-words">
          {failed.http === null ? 'In detail' : 'The provider said'}: <code>{failed.detail}</code>
        </span>
      )}
    </Callout>
  )
}

function Box({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="rounded-card border border-line bg-surface px-4 py-3">
      <h2 className="mb-2 text-dense font-semibold">{title}</h2>
      <div className="text-dense">{children}</div>
    </section>
  )
}

function Aside({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="border-line not-first:border-t not-first:pt-4">
      <h2 className="mb-2.5 text-dense font-semibold">{title}</h2>
      {children}
    </section>
  )
}
