import { createReadStream } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { addAbortSignal, type Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'

/** Between two pieces of a log: what follows is the beginning of another file, or of the same one made empty. */
export const NEXT_FILE = Symbol('next file')

export type Piece = Uint8Array | typeof NEXT_FILE

const CHUNK = 256 * 1024
/** How often the end of a file is looked at. */
const POLL_MS = 250

/**
 * The bytes of a log file, and with `follow` those that are added to it, until the signal. A file that is renamed is read
 * to its end before the new one of its name; a file that becomes shorter is read from its beginning. A piece may be used
 * until the next one is asked for. What several rotations within a quarter of a second leave behind is not found.
 */
export async function* readLog(
  path: string,
  { follow, signal, pollMs = POLL_MS }: { follow: boolean; signal: AbortSignal; pollMs?: number },
): AsyncGenerator<Piece> {
  // Pipes and devices have no positions, and end by themselves.
  if (!(await stat(path)).isFile()) return yield* readStream(createReadStream(path), signal)
  const buffer = Buffer.allocUnsafe(CHUNK)
  let file = await open(path)
  try {
    let position = 0
    let renamed = false
    while (!signal.aborted) {
      const { bytesRead } = await file.read(buffer, 0, CHUNK, position)
      if (bytesRead > 0) {
        position += bytesRead
        yield buffer.subarray(0, bytesRead)
        continue
      }
      if (!follow) return
      if ((await file.stat()).size < position) {
        position = 0
        yield NEXT_FILE
        continue
      }
      // Whoever writes may still write to the old file for a moment after the new one is there.
      const next = renamed ? await another(path, file) : null
      if (next !== null) {
        await file.close()
        file = next
        position = 0
        renamed = false
        yield NEXT_FILE
        continue
      }
      renamed = await isRenamed(path, file)
      await sleep(pollMs, undefined, { signal }).catch(() => undefined)
    }
  } finally {
    await file.close()
  }
}

/** The bytes of a stream until its end or the signal. */
export async function* readStream(stream: Readable, signal: AbortSignal): AsyncGenerator<Piece> {
  try {
    yield* addAbortSignal(signal, stream)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Whether the name is of another file now; a name that is away may come back. */
async function isRenamed(path: string, file: FileHandle): Promise<boolean> {
  const [named, own] = await Promise.all([stat(path).catch(absent), file.stat()])
  return named !== null && !isSame(named, own)
}

/** The file that has the name now, opened; null when it is the same one, or away again. */
async function another(path: string, file: FileHandle): Promise<FileHandle | null> {
  const named = await open(path).catch(absent)
  if (named === null) return null
  if (!isSame(await named.stat(), await file.stat())) return named
  await named.close()
  return null
}

type Identity = { ino: number; dev: number }

const isSame = (a: Identity, b: Identity): boolean => a.ino === b.ino && a.dev === b.dev

const absent = (error: NodeJS.ErrnoException): null => {
  if (error.code === 'ENOENT') return null
  throw error
}
