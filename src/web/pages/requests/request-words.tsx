import { CodeBlock } from '../../components/code-block.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { TimeLeft } from '../../components/time-left.tsx'
import type { RequestDetail } from '../../wire.ts'

/** What was sent and answered, where it is kept; otherwise how to keep it from now on. */
export function RequestWords({ request: { bodies } }: { request: RequestDetail }) {
  if (bodies === null) {
    return (
      <p className="text-dense text-muted">
        Nothing of what it said is kept.{' '}
        <TextLink to="/settings" className="underline">
          Keep prompts and answers
        </TextLink>{' '}
        to see them here from then on.
      </p>
    )
  }
  return (
    <div className="grid gap-3">
      <CodeBlock title="The client sent" code={readable(bodies.request)} copy={bodies.request} />
      <CodeBlock title="The client got" code={readable(bodies.answer)} copy={bodies.answer} />
      <p className="text-caption text-muted">
        {bodies.truncated && 'Not all of it: it was longer than is kept, or the client left. '}
        Forgotten in <TimeLeft until={bodies.expires_at} />.
      </p>
    </div>
  )
}

/** JSON on lines; a stream or half a body as it came. */
function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text // it is no JSON, or not all of one
  }
}
