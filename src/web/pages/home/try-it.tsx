import { CircleX, CornerDownLeft } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Card } from '../../components/card.tsx'
import { Field } from '../../components/field.tsx'
import { Input, PasswordInput } from '../../components/input.tsx'
import { Logo } from '../../components/logo.tsx'
import { Money } from '../../components/money.tsx'
import { Duration, Tokens } from '../../components/quantity.tsx'
import { Select } from '../../components/select.tsx'
import { TextLink } from '../../components/text-link.tsx'
import { DEMO_MODEL, type GatewayModels } from '../../gateway-models.ts'
import type { HeldKey } from './key-step.tsx'
import { type Trial, useTry } from './use-try.ts'

const FIRST_MESSAGE = 'Is anyone in the box?'

export interface TryItProps {
  readonly held: HeldKey | undefined
  readonly onHold: (key: HeldKey) => void
  /** Told the id of each request that is made here. */
  readonly onRequest: (id: string) => void
  readonly models: GatewayModels
}

/** A message to the gateway through the same endpoint, key and log as any client's. */
export function TryIt({ held, onHold, onRequest, models }: TryItProps) {
  const [model, setModel] = useState(DEMO_MODEL)
  const { trial, send, isRunning } = useTry(onRequest)
  return (
    <Card
      title="Try it"
      aside="same endpoint, same log"
      action={
        <Select
          aria-label="Model to try"
          className="w-44"
          value={model}
          options={models.names.map((name) => ({ value: name, label: name }))}
          onChange={setModel}
        />
      }
    >
      {trial && <Conversation trial={trial} />}
      {held === undefined ? (
        <PasteKey onHold={onHold} />
      ) : (
        <MessageForm isRunning={isRunning} onSend={(text) => void send(text, model, held.secret)} />
      )}
    </Card>
  )
}

function MessageForm({ isRunning, onSend }: { isRunning: boolean; onSend: (text: string) => void }) {
  const [text, setText] = useState(FIRST_MESSAGE)
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (isRunning || text.trim() === '') return
    onSend(text.trim())
    setText('')
  }
  return (
    <form onSubmit={onSubmit} className="mt-3 flex gap-2">
      <Input
        aria-label="Message"
        placeholder="Say something, or ask for a tool call"
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <Button type="submit" tone="primary" icon={CornerDownLeft} busy={isRunning} className="h-9">
        Send
      </Button>
    </form>
  )
}

/** A key from elsewhere: kept in the memory of this page alone. */
function PasteKey({ onHold }: { onHold: (key: HeldKey) => void }) {
  const [secret, setSecret] = useState('')
  function onSubmit(event: FormEvent): void {
    event.preventDefault()
    if (secret.trim() !== '') onHold({ id: undefined, name: 'pasted key', secret: secret.trim() })
  }
  return (
    <form onSubmit={onSubmit} className="mt-2 flex items-start gap-2">
      <div className="min-w-0 flex-1">
        <Field label="Key" hint="Create one in step 2, or paste one. It is kept by this page alone.">
          <PasswordInput autoComplete="off" value={secret} onChange={({ target }) => setSecret(target.value)} />
        </Field>
      </div>
      <Button type="submit" className="mt-5.5 h-9">
        Use it
      </Button>
    </form>
  )
}

function Conversation({ trial }: { trial: Trial }) {
  return (
    <div className="grid gap-3 pt-1">
      <p className="ml-10 justify-self-end rounded-card bg-accent-soft px-3 py-2 text-body break-words">
        {trial.asked}
      </p>
      <div className="flex gap-2.5">
        <Logo className="size-6" />
        <div className="min-w-0 flex-1">
          {trial.state === 'failed' ? (
            <p role="alert" className="flex gap-2 text-body text-danger">
              <CircleX aria-hidden="true" size={16} strokeWidth={1.75} className="mt-0.5 shrink-0" />
              <span className="min-w-0 break-words">{trial.error}</span>
            </p>
          ) : (
            <p className="text-body break-words whitespace-pre-wrap">
              {trial.answer}
              {trial.state === 'running' && (
                <span aria-hidden="true" className="ml-0.5 inline-block h-4 w-1.5 bg-accent align-text-bottom" />
              )}
            </p>
          )}
          <Measures trial={trial} />
        </div>
      </div>
    </div>
  )
}

function Measures({ trial: { firstTokenMs, end, logged, requestId, state } }: { trial: Trial }) {
  return (
    <p className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-caption text-muted">
      {firstTokenMs !== undefined && (
        <span>
          first token <Duration ms={firstTokenMs} />
        </span>
      )}
      {end && (
        <span>
          <Tokens count={end.inputTokens} /> + <Tokens count={end.outputTokens} /> tokens
        </span>
      )}
      {logged && <Money usd={logged.cost_usd} source={logged.cost_source} />}
      {requestId !== undefined && state !== 'running' && (
        <TextLink to={`/requests/${requestId}`}>See the route</TextLink>
      )}
    </p>
  )
}
