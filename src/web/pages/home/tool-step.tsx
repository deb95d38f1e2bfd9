import { type ReactNode, useState } from 'react'
import { useSearch } from '../../address.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { classNames } from '../../components/class-names.ts'
import { Segmented } from '../../components/segmented.tsx'
import { Select } from '../../components/select.tsx'
import type { LoggedRequest } from '../../wire.ts'
import { Arrived } from './arrival-step.tsx'
import type { GatewayModels } from '../../gateway-models.ts'
import type { HeldKey } from './key-step.tsx'
import { type Snippet, type SnippetValues, type Tool, TOOLS } from './snippets.ts'
import { Step, type StepState } from './stepper.tsx'

const KEY_PLACEHOLDER = '<your key>'
/** Enough of a secret to recognise it by. */
const [SHOWN_START, SHOWN_END] = [12, 4]

export interface ToolStepProps {
  readonly state: StepState
  readonly held: HeldKey | undefined
  readonly models: GatewayModels
  /** The newest request since this page was opened that this page did not make itself. */
  readonly arrived: LoggedRequest | undefined
}

/** The tool that the address names, the first otherwise. */
export function useTool(): [Tool, (id: string) => void] {
  const [search, setSearch] = useSearch()
  const [first] = TOOLS
  const tool: Tool = TOOLS.find(({ id }) => id === search['tool']) ?? first
  return [tool, (id) => setSearch({ tool: id === first.id ? null : id })]
}

/** Step 3: what a tool needs, filled in. The secret is masked on screen and whole on the clipboard. */
export function ToolStep({ state, held, models, arrived }: ToolStepProps) {
  const [tool, setTool] = useTool()
  const [chosen, setChosen] = useState<string>()
  const model = chosen ?? models.preferred
  const values = { origin: location.origin, model, key: held?.secret ?? KEY_PLACEHOLDER }
  return (
    <Step number={3} state={state} title="Connect a tool">
      <ToolChoice tool={tool} onChoose={setTool} />
      <Snippets
        key={tool.id}
        tool={tool}
        values={values}
        model={
          <Select
            aria-label="Model"
            className="w-56 max-w-full"
            value={model}
            options={models.names.map((name) => ({ value: name, label: name }))}
            onChange={setChosen}
          />
        }
      />
      <p className="mt-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 text-dense text-muted">
        <span>
          {held === undefined
            ? 'The key is filled in once step 2 is done.'
            : 'The key is masked here and copied whole. It goes when you leave this page.'}
        </span>
        <Arrived request={arrived} />
      </p>
    </Step>
  )
}

function ToolChoice({ tool, onChoose }: { tool: Tool; onChoose: (id: string) => void }) {
  return (
    <div role="radiogroup" aria-label="Tool" className="-mx-1 mt-3 flex gap-2 overflow-x-auto px-1 py-1">
      {TOOLS.map(({ id, label }) => (
        <label
          key={id}
          className={classNames(
            'touch relative inline-flex h-8 shrink-0 cursor-pointer items-center rounded-control border px-3 text-dense whitespace-nowrap',
            'has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent',
            id === tool.id
              ? 'border-ink bg-ink font-medium text-canvas'
              : 'border-line text-muted hover:bg-hover hover:text-ink',
          )}
        >
          <input
            type="radio"
            name="tool"
            value={id}
            className="sr-only"
            checked={id === tool.id}
            onChange={() => onChoose(id)}
          />
          {label}
        </label>
      ))}
    </div>
  )
}

interface SnippetsProps {
  readonly tool: Tool
  readonly values: SnippetValues
  /** The choice of the model. */
  readonly model: ReactNode
}

function Snippets({ tool, values, model }: SnippetsProps) {
  const [at, setAt] = useState(0)
  const masked = { ...values, key: maskedKey(values.key) }
  const snippets = tool.snippets(masked)
  const shown = snippets[at] ?? snippets[0]
  const whole = tool.snippets(values)[at] ?? shown
  return (
    <>
      <div className="mt-3 flex flex-wrap items-center justify-between gap-2">
        {model}
        {snippets.length > 1 && (
          <Segmented
            label="Where it goes"
            value={String(at)}
            options={snippets.map(({ tab }, index) => ({ value: String(index), label: tab }))}
            onChange={(value) => setAt(Number(value))}
          />
        )}
      </div>
      <div className="mt-3">
        <CodeBlock title={shown.title} aside={shown.aside} code={shown.code} copy={whole.code}>
          <Marked snippet={shown} values={masked} />
        </CodeBlock>
      </div>
    </>
  )
}

/** What is this installation's own stands out from what is everybody's. */
function Marked({ snippet, values: { origin, key, model } }: { snippet: Snippet; values: SnippetValues }) {
  const own = [origin, key, model].map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return snippet.code.split(new RegExp(`(${own.join('|')})`)).map((text, at) =>
    at % 2 === 0 ? (
      text
    ) : (
      <span key={at} className="text-accent-ink">
        {text}
      </span>
    ),
  )
}

function maskedKey(key: string): string {
  return key === KEY_PLACEHOLDER ? key : `${key.slice(0, SHOWN_START)}…${key.slice(-SHOWN_END)}`
}
