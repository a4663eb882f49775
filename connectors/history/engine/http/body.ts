import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { lstat, mkdir, mkdtemp, readFile, rm, statfs, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { badRequest, tooLarge } from '../statement/refused.ts'

const PREFIX = 'harrier-'

/** Names that `mkdtemp` gives. */
const OURS = /^\/.*\/harrier-[A-Za-z0-9]{6}$/

type InboxFolders = {
  /** A new folder of this user alone; null where the system has no folder in memory. */
  inMemory: string | null
  /** Removes both. */
  close(): Promise<void>
}

/**
 * Makes the folders of an inbox. Anybody may write to the folder in memory, so the name of ours cannot be foretold: a
 * folder that another user laid there first would give him every body, and let him change it. The folder on disk, which
 * is ours alone, says where it is, so that what a killed engine left behind is found.
 */
export async function inboxFolders(memory: string, disk: string): Promise<InboxFolders> {
  const path = join(disk, 'in-memory')
  await removeLeft(path, memory)
  await rm(disk, { recursive: true, force: true })
  await mkdir(disk, { recursive: true, mode: 0o700 })
  const inMemory = await mkdtemp(join(memory, PREFIX)).catch(() => null)
  if (inMemory !== null) await writeFile(path, inMemory, { mode: 0o600 })
  return {
    inMemory,
    async close() {
      if (inMemory !== null) await rm(inMemory, { recursive: true, force: true })
      await rm(disk, { recursive: true, force: true })
    },
  }
}

/** The lock of the data folder proves that the engine that created it has ended. */
async function removeLeft(path: string, memory: string): Promise<void> {
  const left = await readFile(path, 'utf8').catch(() => '')
  if (!OURS.test(left) || dirname(left) !== memory) return
  const stat = await lstat(left).catch(() => null)
  if (stat?.isDirectory() && stat.uid === process.getuid?.()) await rm(left, { recursive: true, force: true })
}

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
