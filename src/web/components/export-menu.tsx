import { Download } from 'lucide-react'
import { useRef, useState } from 'react'
import { type Query, queryString } from '../api.ts'
import { useApi, useToasts } from '../app-context.ts'
import { bytesText } from '../format/count.ts'
import { Button } from './button.tsx'
import { reasonOf } from './error-state.tsx'
import { MenuItem } from './menu.tsx'
import { Popover } from './popover.tsx'

const FORMATS = [
  { format: 'csv', label: 'CSV, for spreadsheets' },
  { format: 'jsonl', label: 'JSON lines' },
] as const
type Format = (typeof FORMATS)[number]['format']

/** By then every browser has begun to write the file. */
const KEPT_MS = 10_000

/** The requests that a page is about, as a file. `filters` are those of `GET /v1/usage/requests`. */
export function ExportMenu({ filters }: { filters: Query }) {
  const { progress, start, cancel } = useExport(filters)
  if (progress !== undefined) {
    return (
      <Button onClick={cancel} icon={Download}>
        Stop the export <span className="font-normal text-muted">{bytesText(progress)}</span>
      </Button>
    )
  }
  return (
    <Popover label="Export as" align="end" trigger={<Button icon={Download}>Export</Button>}>
      <div className="grid">
        {FORMATS.map(({ format, label }) => (
          <MenuItem key={format} onSelect={() => void start(format)}>
            {label}
          </MenuItem>
        ))}
      </div>
    </Popover>
  )
}

/** Read as it is written, so that it can be stopped; a file that breaks off is not kept. */
function useExport(filters: Query) {
  const api = useApi()
  const toasts = useToasts()
  const [progress, setProgress] = useState<number>()
  const abort = useRef<AbortController>(undefined)
  async function start(format: Format): Promise<void> {
    const controller = new AbortController()
    abort.current = controller
    setProgress(0)
    try {
      const path = `/v1/usage/export${queryString({ ...filters, format })}`
      save(
        await readAll(await api.fetch(path, { signal: controller.signal }), setProgress),
        `signalbox-usage.${format}`,
      )
    } catch (cause) {
      if (!controller.signal.aborted) toasts.failed(`Not exported. ${reasonOf(cause)}`)
    } finally {
      setProgress(undefined)
    }
  }
  return { progress, start, cancel: () => abort.current?.abort() }
}

async function readAll(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const pieces: BlobPart[] = []
  let bytes = 0
  const reader = response.body?.getReader()
  for (let step = await reader?.read(); step?.value !== undefined; step = await reader?.read()) {
    pieces.push(step.value)
    bytes += step.value.byteLength
    onProgress(bytes)
  }
  return new Blob(pieces, { type: response.headers.get('content-type') ?? '' })
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS)
}
