import { Upload } from 'lucide-react'
import { type DragEvent, type ReactNode, useCallback, useRef, useState } from 'react'
import { ApiError } from '../../api-error.ts'
import { useApi } from '../../app-context.ts'
import { Button, type ButtonTone } from '../../components/button.tsx'
import { Callout } from '../../components/callout.tsx'
import { classNames } from '../../components/class-names.ts'
import { reasonOf } from '../../components/error-state.tsx'
import { pathInWords } from '../../components/form-state.ts'
import type { Single, SkillDocument } from '../../wire.ts'
import type { HandedOver } from './data.ts'

/** The state of reading a SKILL.md. The server parses it; nothing is saved. */
export interface SkillUpload {
  readonly isReading: boolean
  /** Why the last one could not be read. */
  readonly failure: { readonly fileName: string; readonly cause: unknown } | undefined
  read(file: File): void
}

export function useSkillUpload(onRead: (upload: HandedOver) => void): SkillUpload {
  const api = useApi()
  const [isReading, setReading] = useState(false)
  const [failure, setFailure] = useState<SkillUpload['failure']>()
  const read = useCallback(
    async (file: File): Promise<void> => {
      setReading(true)
      setFailure(undefined)
      try {
        const init = { method: 'POST', headers: { 'content-type': 'text/markdown' }, body: file }
        const answer = (await (await api.fetch('/v1/skills/parse', init)).json()) as Single<SkillDocument>
        onRead({ fileName: file.name, document: answer.data })
      } catch (cause) {
        setFailure({ fileName: file.name, cause })
      } finally {
        setReading(false)
      }
    },
    [api, onRead],
  )
  return { isReading, failure, read: (file) => void read(file) }
}

/** Chooses a file; what is chosen can be chosen again after it was changed. */
export function UploadButton({ upload, tone }: { upload: SkillUpload; tone?: ButtonTone }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".md,.markdown,text/markdown"
        aria-label="SKILL.md"
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file !== undefined) upload.read(file)
          target.value = ''
        }}
      />
      <Button icon={Upload} tone={tone} busy={upload.isReading} onClick={() => input.current?.click()}>
        Upload SKILL.md
      </Button>
    </>
  )
}

/** Takes a file that is dropped anywhere on what is inside. */
export function DropArea({ upload, children }: { upload: SkillUpload; children: ReactNode }) {
  const [isOver, setOver] = useState(false)
  function onDrop(event: DragEvent): void {
    const file = event.dataTransfer.files[0]
    setOver(false)
    if (file === undefined) return
    event.preventDefault()
    upload.read(file)
  }
  function onDragOver(event: DragEvent): void {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  return (
    <div
      onDragOver={onDragOver}
      onDragLeave={({ currentTarget, relatedTarget }) =>
        !(relatedTarget instanceof Node && currentTarget.contains(relatedTarget)) && setOver(false)
      }
      onDrop={onDrop}
      className={classNames('rounded-card', isOver && 'outline-2 outline-offset-4 outline-accent outline-dashed')}
    >
      {children}
    </div>
  )
}

/** Why a document could not be read, with its line. */
export function UploadFailure({ upload }: { upload: SkillUpload }) {
  const { failure } = upload
  if (failure === undefined) return null
  const { cause, fileName } = failure
  const faults = cause instanceof ApiError ? Object.entries(cause.errors) : []
  return (
    <Callout tone="danger" alert>
      <p className="font-semibold">{fileName} could not be read</p>
      {faults.length === 0 && <p>{reasonOf(cause)}</p>}
      {faults.map(([field, messages]) => (
        <p key={field}>{faultText(field, messages.join(' '))}</p>
      ))}
    </Callout>
  )
}

/** Messages that begin with their line need no field before them. */
function faultText(field: string, message: string): string {
  const text = message.startsWith('line ') ? message.replace('line ', 'Line ') : `${pathInWords(field)} ${message}`
  return `${text}. Correct it and upload it again.`
}
