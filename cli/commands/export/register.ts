import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { misp } from '../../../schemas/feeds-out/formats/exchange/misp.ts'
import { stix } from '../../../schemas/feeds-out/formats/exchange/stix.ts'
import { OURS, uuids } from '../../../schemas/feeds-out/formats/exchange/uuid.ts'
import type { FeedFacts, FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { written } from '../../../schemas/feeds-out/formats/written-formats.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { readSelector } from '../../../schemas/intelligence/selectors/read.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { asking, collect, pathOf } from '../admin/context.ts'
import type { ChosenContext } from '../contexts/chosen-context.ts'
import { type DownloadContext, into, replace } from '../feed/download.ts'
import { amount } from '../values/amount.ts'
import { textOf } from '../values/values.ts'

export type ExportContext = DownloadContext & {
  openChosen: () => Promise<ChosenContext>
}

export type ExportFlags = { feed?: string; selector?: string; visibleBy?: string[]; name?: string; out?: string }

/** The format that says how entities are related. */
const RELATED = 'stix'

/** A document as it comes, and what is known of it once all of it came. */
type Exported = { bytes: AsyncIterable<Uint8Array>; counts: () => { items: number; skipped: number } }

/**
 * Writes what is exported, in a format: the list of a feed as the platform serves it, or the entities that a selector
 * chooses now for a reader in all of the groups. A file is replaced when all of it is there; interrupted, it stays as it was.
 * @param absent of how many items the document has nothing, and why
 * @throws UsageError that names the option that cannot be used
 */
export const writeExport = (
  format: FeedFormat,
  flags: ExportFlags,
  context: ExportContext,
  absent: string,
): Promise<void> =>
  exported(format, flags, context, async ({ bytes, counts }) => {
    const { stdout, stderr, signal } = context
    const written =
      flags.out === undefined ? pipeline(bytes, into(stdout), { signal }) : replace(flags.out, bytes, signal)
    await written.catch((cause: Error) => {
      if (!signal.aborted) throw cause
      const left = flags.out === undefined ? 'the document is incomplete' : `${flags.out} is unchanged`
      throw new Interrupted(`${left}; the next export starts from the beginning`, null, { cause })
    })
    const { items, skipped } = counts()
    const left = skipped === 0 ? '' : `, ${skipped} of them ${absent}`
    stderr.write(`${amount(items, 'item')}${left}\n`)
  })

/** `use` takes the bytes; the store is open as long as it does. */
async function exported(
  format: FeedFormat,
  flags: ExportFlags,
  context: ExportContext,
  use: (document: Exported) => Promise<void>,
): Promise<void> {
  const { feed, selector, visibleBy, name } = flags
  if ((feed === undefined) === (selector === undefined))
    throw new UsageError('one of --feed and --selector is required')
  if (feed !== undefined) {
    if (visibleBy !== undefined) throw new UsageError('--visible-by: a feed has its own readers')
    if (name !== undefined) throw new UsageError('--name: a feed has its own name')
    return use(await served(format, feed, context))
  }
  const chosen = await selectorOf(selector!)
  // Of a reader: who is in `public` and in another group reads more than everybody, as with the groups of a feed.
  const groups = [...new Set(visibleBy ?? [PUBLIC])].sort()
  if (groups.some((group) => group.trim() === '')) throw new UsageError('--visible-by: empty group name')
  const opened = await context.openChosen()
  try {
    const now = context.now()
    const isPublic = isPublicAlone(groups)
    const facts: FeedFacts = {
      // The same entities are the same document, whoever exports them. Groups are no part of it: their names could be guessed.
      id: uuids(OURS)(`export ${JSON.stringify([chosen, isPublic])}`),
      name: name ?? 'Export of Harrier',
      sequence: 0,
      updatedAt: now,
      isPublic,
      mayHoldWellKnown: chosen.wellKnown !== undefined && chosen.wellKnown !== false,
    }
    const items = format.name === RELATED ? opened.related(chosen, groups, now) : opened.items(chosen, groups, now)
    await use(counted(format, facts, items))
  } finally {
    await opened.close()
  }
}

async function served(format: FeedFormat, id: string, { open }: ExportContext): Promise<Exported> {
  const download = await open()
  const response = await download(pathOf`/api/feeds/v1/feeds/${id}/items.${format.name}`)
  const count = (name: string): number => Number(response.headers.get(name))
  return {
    bytes: Readable.fromWeb(response.body as never),
    counts: () => ({ items: count('x-feed-items'), skipped: count('x-feed-skipped') }),
  }
}

function counted(format: FeedFormat, facts: FeedFacts, batches: ReturnType<ChosenContext['items']>): Exported {
  const counts = { items: 0, skipped: 0 }
  async function* seen() {
    for await (const batch of batches) {
      counts.items += batch.length
      yield batch
    }
  }
  async function* bytes() {
    counts.skipped = (yield* written(format, facts, seen())).skipped
  }
  return { bytes: bytes(), counts: () => counts }
}

/** The value of `--selector`: JSON, or `@` and the file that it is in. */
async function selectorOf(given: string): Promise<Selector> {
  const text = given.startsWith('@') ? await textOf(given.slice(1)) : given
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new UsageError(`--selector is not JSON: ${(cause as Error).message}`, { cause })
  }
  const read = readSelector(body)
  if (!read.ok) throw new UsageError(`--selector: ${read.param} ${read.message}`)
  return read.selector
}

/** The options of every document: which list it says, and who asks for it. */
const ofList = (command: Command): Command =>
  asking(command)
    .option('--feed <id>', 'a published feed, as the platform serves it')
    .option('--selector <json>', 'selector of entities as JSON; @file reads it from a file')
    .option('--visible-by <group>', 'group of the reader; may be repeated; default: public', collect)

/** Adds `stix` to the command `export`: a bundle, as large as the list is, in bounded memory (decisions 15.3). */
function registerStixExport(command: Command, context: ExportContext): void {
  ofList(command.command('stix'))
    .description('write a STIX 2.1 bundle with the list of a feed, or with the entities that a selector chooses')
    .option('--out <file>', 'file for the bundle, replaced once the bundle is complete; default: standard output')
    .action((flags: ExportFlags) =>
      writeExport(stix, flags, context, 'not in the bundle: not in the normal form of their type'),
    )
}

/** Adds `misp` to the command `export`: an event of MISP, as large as the list is, in bounded memory (decisions 15.4). */
function registerMispExport(command: Command, context: ExportContext): void {
  ofList(command.command('misp'))
    .description('write a MISP event with the list of a feed, or with the entities that a selector chooses')
    .option('--name <text>', 'name (info) of the event, with --selector')
    .option('--out <file>', 'file for the event, replaced once the event is complete; default: standard output')
    .action((flags: ExportFlags) => writeExport(misp, flags, context, 'not in the event: MISP has no type for them'))
}

/** Adds `export` to the program: what is known, in the documents of others (decisions 15). */
export function registerExports(program: Command, context: ExportContext): void {
  const command = program.command('export').description('export entities as a document for another platform')
  registerMispExport(command, context)
  registerStixExport(command, context)
}
