import { ChevronRight } from 'lucide-react'
import { Badge } from '../../components/badge.tsx'
import { classNames } from '../../components/class-names.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Facts } from '../../components/facts.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { ClockTime } from '../../components/time.tsx'
import { countText } from '../../format/count.ts'
import { shortId } from '../../names.tsx'
import type { AuditEntry } from '../../wire.ts'
import { actWords, objectHref } from './audit-words.ts'
import { compare, type Difference } from './differences.ts'

export interface AuditRowProps {
  readonly entry: AuditEntry
  readonly isOpen: boolean
  readonly onToggle: () => void
}

const CELL = 'px-3 first:pl-4 last:pr-4 md:last:pr-6'

/** One act; opened, what it changed. */
export function AuditRow({ entry, isOpen, onToggle }: AuditRowProps) {
  const { id, at, actor, outcome } = entry
  const details = `${id}-details`
  return (
    <>
      <tr className="relative h-11 border-t border-line first:border-t-0 hover:bg-hover has-[:focus-visible]:bg-hover">
        <td className={classNames(CELL, 'whitespace-nowrap md:first:pl-6')}>
          <button
            type="button"
            data-row=""
            aria-expanded={isOpen}
            aria-controls={details}
            onClick={onToggle}
            className="inline-flex items-center gap-2 after:absolute after:inset-0"
          >
            <ChevronRight
              aria-hidden="true"
              size={14}
              strokeWidth={1.75}
              className={classNames('text-muted transition-transform duration-[120ms]', isOpen && 'rotate-90')}
            />
            <ClockTime at={at} />
          </button>
        </td>
        <td className={classNames(CELL, 'py-1.5')}>
          <span className="flex flex-wrap items-center gap-x-1.5 gap-y-0.5">
            <span title={entry.action}>{actWords(entry.action)}</span>
            <ObjectName entry={entry} />
            {outcome === 'refused' && <Badge tone="danger">Refused</Badge>}
          </span>
          <span className="block text-caption text-muted md:hidden">{actor.email ?? 'Signalbox itself'}</span>
        </td>
        <td className={classNames(CELL, 'max-w-64 truncate max-md:hidden')}>{actor.email ?? 'Signalbox itself'}</td>
        <td className={classNames(CELL, 'text-muted max-lg:hidden')}>
          <code>{actor.ip ?? '–'}</code>
        </td>
      </tr>
      {isOpen && (
        <tr id={details}>
          <td colSpan={4} className="border-t border-line bg-sunken px-4 py-4 md:px-6">
            <Details entry={entry} />
          </td>
        </tr>
      )}
    </>
  )
}

function ObjectName({ entry }: { entry: AuditEntry }) {
  const { name, id } = entry.object
  const href = objectHref(entry)
  const shown = name ?? (id === null ? undefined : shortId(id))
  if (shown === undefined) return null
  if (href === undefined) return <strong className="font-medium">{shown}</strong>
  return (
    <TextLink to={href} className="relative z-1 font-medium">
      {shown}
    </TextLink>
  )
}

function Details({ entry }: { entry: AuditEntry }) {
  const { differences, unchanged } = compare(entry.before, entry.after)
  return (
    <div className="grid gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
      <div className="min-w-0">
        {differences.length === 0 ? (
          <p className="text-dense text-muted">Nothing about its fields was recorded.</p>
        ) : (
          <DifferenceTable differences={differences} entry={entry} />
        )}
        {unchanged > 0 && (
          <p className="mt-2 text-caption text-muted">
            {unchanged === 1 ? 'One other field' : `${countText(unchanged)} other fields`} stayed as before.
          </p>
        )}
      </div>
      <Facts items={factsOf(entry)} />
    </div>
  )
}

function factsOf({ seq, action, actor, object, request_id, hash, prev_hash }: AuditEntry) {
  const items = [
    ['Entry', countText(seq)],
    ['Act', <code key="act">{action}</code>],
    ['By', actor.email ?? 'Signalbox itself'],
    ['From', actor.ip === null ? undefined : <code key="ip">{actor.ip}</code>],
    ['Object', object.id === null ? object.type : <Id key="object" id={object.id} what="object’s id" />],
    ['Call', request_id === null ? undefined : <Id key="call" id={request_id} what="call’s id" />],
    ['Seal', <Id key="seal" id={hash} what="seal" />],
    ['Seal before', <Id key="before" id={prev_hash} what="seal before" />],
  ] as const
  return items.filter(([, value]) => value !== undefined)
}

function Id({ id, what }: { id: string; what: string }) {
  return (
    <span className="-my-1.5 inline-flex items-center gap-0.5">
      <code title={id} className="text-caption">
        {shortId(id)}
      </code>
      <CopyButton text={id} label={`Copy the ${what}`} />
    </span>
  )
}

function DifferenceTable({ differences, entry }: { differences: readonly Difference[]; entry: AuditEntry }) {
  const [hasBefore, hasAfter] = [entry.before !== null, entry.after !== null]
  return (
    <div className="overflow-x-auto rounded-control border border-line bg-surface">
      <table className="w-full text-dense">
        <caption className="sr-only">What was recorded, field by field</caption>
        <thead className="text-left text-caption text-muted">
          <tr className="border-b border-line">
            <th scope="col" className="px-3 py-1.5 font-medium">
              Field
            </th>
            {hasBefore && (
              <th scope="col" className="px-3 py-1.5 font-medium">
                Before
              </th>
            )}
            {hasAfter && (
              <th scope="col" className="px-3 py-1.5 font-medium">
                After
              </th>
            )}
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, before, after }) => (
            <tr key={path} className="border-t border-line align-top first:border-t-0">
              <th scope="row" className="px-3 py-1.5 text-left font-normal whitespace-nowrap text-muted">
                <code>{path}</code>
              </th>
              {hasBefore && <Value text={before} mark={hasAfter ? 'removed' : undefined} />}
              {hasAfter && <Value text={after} mark={hasBefore ? 'added' : undefined} />}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const MARKS = {
  removed: 'bg-danger-soft text-danger line-through decoration-danger/50',
  added: 'bg-clear-soft text-clear',
} as const

function Value({ text, mark }: { text: string | undefined; mark: keyof typeof MARKS | undefined }) {
  return (
    <td className="min-w-32 px-3 py-1.5 break-words">
      {text === undefined ? (
        <span className="text-muted">–</span>
      ) : (
        <code className={classNames('rounded-chip', mark && `px-1 ${MARKS[mark]}`)}>{text === '' ? '“”' : text}</code>
      )}
    </td>
  )
}
