import type { ReactNode } from 'react'
import type { LoggedRequest } from '../wire.ts'
import { classNames } from './class-names.ts'
import { RequestCost } from './request-cost.tsx'
import { requestStatus, Status } from './status.tsx'
import { TextLink } from './text-link.tsx'
import { RelativeTime } from './time.tsx'

export interface RequestLinesProps {
  readonly requests: readonly LoggedRequest[]
  /** By which tool. */
  readonly clients?: boolean
  /** In place of the model that was asked for. */
  readonly nameOf?: (request: LoggedRequest) => ReactNode
}

/** The newest requests in a card: outcome, model, age, cost. Each line leads to its request. */
export function RequestLines({ requests, clients = false, nameOf }: RequestLinesProps) {
  return (
    <ul>
      {requests.map((request) => (
        <li
          key={request.id}
          className="relative flex h-9.5 items-center gap-2.5 border-b border-line px-4 text-dense last:border-b-0 hover:bg-hover"
        >
          <Status name={requestStatus(request)} iconOnly />
          <TextLink
            to={`/requests/${request.id}`}
            className={classNames(
              'min-w-0 flex-1 truncate text-ink after:absolute after:inset-0',
              nameOf === undefined && 'font-mono text-caption',
            )}
          >
            {nameOf?.(request) ?? request.model_asked}
          </TextLink>
          <span className="text-caption whitespace-nowrap text-muted">
            {clients && request.client !== null && `${request.client} · `}
            <RelativeTime at={request.at} />
          </span>
          <span className="min-w-16 text-right">
            <RequestCost request={request} />
          </span>
        </li>
      ))}
    </ul>
  )
}
