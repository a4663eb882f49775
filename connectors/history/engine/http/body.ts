import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm, statfs } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { badRequest, tooLarge } from '../statement/refused.ts'
import { inboxFolders } from './inbox-folders.ts'

const MiB = 1024 * 1024

/** The body as it was before compression. @throws Refused BAD_ARGUMENTS for an encoding other than gzip */
export const plain = (req: IncomingMessage): Readable => {
  const encoding = req.headers['content-encoding'] ?? 'identity'
  if (encoding === 'identity') return req
  if (encoding !== 'gzip') throw badRequest(`content-encoding '${encoding}' is not supported; use gzip or none`)
  const gunzip = createGunzip()
  req.once('error', (error) => gunzip.destroy(error))
  return req.pipe(gunzip)
}

/** @throws Refused TOO_MANY_ROWS_OR_BYTES past `max` bytes */
export async function* limitBytes(source: AsyncIterable<Buffer>, max: number): AsyncGenerator<Buffer> {
  let bytes = 0
  for await (const chunk of source) {
    bytes += chunk.length
    if (bytes > max) throw tooLarge(`the body is larger than ${max} bytes`)
    yield chunk
  }
}

export const inMemory = async (source: Readable, max: number): Promise<Buffer> => {
  const chunks: Buffer[] = []
  for await (const chunk of limitBytes(source, max)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

export type Inbox = {
  /** Writes what the engine shall read, gives the path to `use`, and removes the file whatever happens. */
  withFile<T>(
    parts: Iterable<Buffer> | AsyncIterable<Buffer>,
    use: (path: string, bytes: number) => Promise<T>,
  ): Promise<T>
  /** Removes the folders of both. */
  close(): Promise<void>
}

/**
 * Files that inserts pass through: a body that is pasted behind its SQL ends at the first empty line, and the engine
 * would run the rest as SQL.
 * @param memory where a folder in memory is made, used while it has room for two of the largest bodies
 * @param disk the folder used otherwise
 */
export const openInbox = async (memory: string, disk: string, maxBytes: number): Promise<Inbox> => {
  const { inMemory, close } = await inboxFolders(memory, disk)
  const folder = async (): Promise<string> => {
    const room = inMemory && (await statfs(inMemory).catch(() => undefined))
    return inMemory && room && room.bavail * room.bsize > 2 * maxBytes + 64 * MiB ? inMemory : disk
  }
  return {
    async withFile(parts, use) {
      const path = join(await folder(), randomUUID())
      try {
        const file = createWriteStream(path, { flags: 'wx', mode: 0o600, highWaterMark: MiB })
        await pipeline(parts, file)
        return await use(path, file.bytesWritten)
      } finally {
        await rm(path, { force: true })
      }
    },
    close,
  }
}
