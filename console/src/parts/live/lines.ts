/** Longest line that is kept, in characters: an event has one value of at most 64 KiB, and tags. */
export const MAX_LINE = 1_048_576

/**
 * The lines of a body as they come, without their ends; an end without a line break is no line. Whoever stops reading
 * cancels the body. Throws for a line that is too long, and what the body throws.
 */
export async function* linesOf(body: ReadableStream<Uint8Array>, most = MAX_LINE): AsyncGenerator<string> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const lines = (rest + decoder.decode(value, { stream: true })).split('\n')
      rest = lines.pop()!
      for (const line of lines) if (line.trim() !== '') yield line
      if (rest.length > most) throw new TypeError('a line of the stream is too long')
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}
