import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile as write } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Room, room } from './disk-room.ts'
import { writeInThread } from './making/in-thread.ts'
import { type WrittenList, writeBytes, writeList } from './making/write-list.ts'
import { packed, type Written } from './pack.ts'
import type { CodedFile, Coding, FeedFiles, Generation, GenerationOf } from './port.ts'

/** Files of a generation that was replaced stay so long: readers that were told of them may not have opened them yet. */
const LEAVE_MS = 60_000

/** The start of a thread costs 0.1 s of CPU; a list of so many items keeps others waiting for less. */
const IN_THREAD_FROM = 20_000

const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const FORMAT = /^[a-z0-9-]{1,40}$/
/** Beside the files of a generation: what it is, and what files it has. */
const NOTE = 'generation.json'

type Note = Generation & { files: Partial<Record<Coding, Written>> }

export type FeedFolderOptions = {
  /** Of all files together, in bytes: what was not asked for longest goes. */
  most: number
  /** Unix milliseconds. */
  now: () => number
  /** How long replaced files stay, in milliseconds. */
  leaveMs?: number
  /** Lists of more items are written by a thread. */
  inThreadFrom?: number
}

/**
 * Files below `root`, which this process alone uses: `<feed>/<format>/`. What earlier processes left half done goes with
 * the next generation of the same list, or when room is needed.
 */
export async function feedFolder(
  root: string,
  { most, now, leaveMs = LEAVE_MS, inThreadFrom = IN_THREAD_FROM }: FeedFolderOptions,
): Promise<FeedFiles & { close(): void }> {
  await mkdir(root, { recursive: true, mode: 0o700 })
  const held: Room = await room(root, most)
  const known = new Map<string, Note>()
  const packing = new Map<string, Promise<CodedFile | null>>()
  const timers = new Set<NodeJS.Timeout>()
  /** Files that are being written. */
  const underWay = new Set<string>()

  const folderOf = (feed: string, format: string): string => {
    const id = feed.toLowerCase()
    if (!ID.test(id) || !FORMAT.test(format)) throw new TypeError(`'${feed}' or '${format}' cannot name a folder`)
    return join(root, id, format)
  }
  const pathOf = ({ feed, format, name }: Generation, coding: Coding): string =>
    join(folderOf(feed, format), `${name}.${coding}`)

  async function noted(folder: string): Promise<Note | null> {
    const note = known.get(folder) ?? (await readNote(folder))
    if (note === null || (await sizeOf(pathOf(note, 'identity'))) !== note.files?.identity?.bytes) return null
    known.set(folder, note)
    held.use(folder)
    return note
  }

  async function note(folder: string, told: Note): Promise<void> {
    // Before anything is waited for: two codings are noted at once.
    known.set(folder, told)
    const temporary = join(folder, `${told.name}.${random()}.part`)
    await write(temporary, JSON.stringify(told), { mode: 0o600 })
    await rename(temporary, join(folder, NOTE))
  }

  /** Removes everything of a folder but the files of the last generation, and what is being written. */
  async function clean(folder: string): Promise<void> {
    const last = known.get(folder)?.name
    const names = await readdir(folder).catch(() => [])
    for (const name of names) {
      const stays =
        name === NOTE || underWay.has(join(folder, name)) || (last !== undefined && name.startsWith(`${last}.`))
      if (!stays) await rm(join(folder, name), { force: true })
    }
    await held.measure(folder)
  }

  function cleanLater(folder: string): void {
    const timer = setTimeout(() => {
      timers.delete(timer)
      clean(folder).catch(() => undefined)
    }, leaveMs)
    timer.unref()
    timers.add(timer)
  }

  async function remove(folder: string): Promise<void> {
    known.delete(folder)
    await rm(folder, { recursive: true, force: true })
    held.drop(folder)
  }

  async function pack(generation: Generation, coding: Exclude<Coding, 'identity'>): Promise<CodedFile | null> {
    const folder = folderOf(generation.feed, generation.format)
    const path = pathOf(generation, coding)
    const part = `${path}.${random()}.part`
    underWay.add(part)
    const written = await packed(pathOf(generation, 'identity'), part, coding)
      .then((about) => rename(part, path).then(() => about))
      .finally(() => underWay.delete(part))
    const last = known.get(folder)
    if (last?.name === generation.name) await note(folder, { ...last, files: { ...last.files, [coding]: written } })
    await held.measure(folder)
    return { path, ...written }
  }

  /** Two files of a list are a second apart: a reader that goes by `last-modified` alone tells them from each other. */
  const laterThan = (last: Note | undefined): number => Math.max(now(), (last?.generatedAt ?? 0) + 1_000)

  /** Files at paths that `write` fills become the last generations of their formats. */
  async function storeAll(
    feed: string,
    formats: readonly string[],
    of: GenerationOf,
    write: (paths: readonly string[]) => Promise<WrittenList[]>,
  ): Promise<Generation[]> {
    const made = formats.map((format) => ({ ...of, feed: feed.toLowerCase(), format, name: newName(of) }))
    const paths = made.map((one) => join(folderOf(feed, one.format), `${one.name}.identity`))
    const generations: Generation[] = []
    for (const path of paths) underWay.add(path)
    try {
      for (const path of paths) await mkdir(dirname(path), { recursive: true, mode: 0o700 })
      const written = await write(paths)
      for (const [at, { skipped, ...identity }] of written.entries()) {
        const generation = { ...made[at]!, skipped, generatedAt: laterThan(known.get(dirname(paths[at]!))) }
        await note(dirname(paths[at]!), { ...generation, files: { identity } })
        generations.push(generation)
      }
      for (const path of paths) {
        await held.measure(dirname(path))
        cleanLater(dirname(path))
      }
      const busy = new Set([...underWay].map(dirname))
      for (const oldest of held.over(busy)) await remove(oldest)
      return generations
    } catch (error) {
      for (const path of paths.slice(generations.length)) {
        // What stands on the disk is the last one again.
        known.delete(dirname(path))
        await rm(path, { force: true })
      }
      throw error
    } finally {
      for (const path of paths) underWay.delete(path)
    }
  }

  return {
    find: async (feed, format) => {
      const found = await noted(folderOf(feed, format))
      if (found === null) return null
      const { files: _, ...generation } = found
      return generation
    },

    store: async (feed, format, of, bytes) =>
      (await storeAll(feed, [format], of, async ([path]) => [await writeBytes(path!, bytes)]))[0]!,

    storeList: (feed, formats, of, { rows, ...list }) =>
      storeAll(
        feed,
        formats.map(({ name }) => name),
        { ...of, items: list.items },
        (paths) => {
          const write = list.items > inThreadFrom ? writeInThread : writeList
          const files = formats.map((format, at) => ({ format, path: paths[at]! }))
          return write(list, rows, files)
        },
      ),

    async file(generation, coding) {
      const folder = folderOf(generation.feed, generation.format)
      const last = await noted(folder)
      if (last?.name !== generation.name) return null
      const written = last.files[coding]
      const path = pathOf(generation, coding)
      if (written !== undefined && (await sizeOf(path)) === written.bytes) return { path, ...written }
      if (coding === 'identity') return null
      const asked = packing.get(path) ?? pack(generation, coding).finally(() => packing.delete(path))
      packing.set(path, asked)
      return asked
    },

    known(generation, coding) {
      const last = known.get(folderOf(generation.feed, generation.format))
      return last?.name === generation.name ? (last.files[coding] ?? null) : null
    },

    async feeds() {
      const names = await readdir(root)
      const busy = new Set([...underWay].map((path) => basename(dirname(dirname(path)))))
      return names.filter((name) => ID.test(name) && !busy.has(name))
    },

    async forget(feed) {
      const folder = join(folderOf(feed, 'all'), '..')
      for (const format of await readdir(folder).catch(() => [])) await remove(join(folder, format))
      await rm(folder, { recursive: true, force: true })
    },

    close() {
      for (const timer of timers) clearTimeout(timer)
    },
  }
}

const random = (): string => randomBytes(6).toString('hex')

const newName = ({ epoch, sequence }: Pick<GenerationOf, 'epoch' | 'sequence'>): string =>
  `${epoch}-${sequence}-${random()}`

/** The note of an earlier process. A file that is no note is none. */
async function readNote(folder: string): Promise<Note | null> {
  const text = await readFile(join(folder, NOTE), 'utf8').catch(() => null)
  if (text === null) return null
  try {
    return JSON.parse(text) as Note
  } catch {
    return null
  }
}

const sizeOf = (path: string): Promise<number | null> =>
  stat(path).then(
    ({ size }) => size,
    () => null,
  )
