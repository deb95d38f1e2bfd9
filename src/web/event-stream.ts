/** The `data` of each server-sent event of an answer, as it comes. Ends with the answer; throws what reading it throws. */
export async function* eventData(response: Response): AsyncGenerator<string> {
  if (response.body === null) return
  let rest = ''
  for await (const text of textOf(response.body)) {
    const frames = (rest + text).split('\n\n')
    rest = frames.pop() ?? ''
    for (const frame of frames) {
      const data = frame.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
      if (data.length > 0) yield data.join('\n')
    }
  }
}

/** By its reader: not every browser lets a stream be looped over. */
async function* textOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => undefined) // it may be over already
  }
}
