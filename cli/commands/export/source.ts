import { Readable } from 'node:stream'
import { OURS, uuids } from '../../../schemas/feeds-out/formats/exchange/uuid.ts'
import type { FeedFacts, FeedFormat } from '../../../schemas/feeds-out/formats/format.ts'
import { written } from '../../../schemas/feeds-out/formats/written.ts'
import { isPublicAlone } from '../../../schemas/feeds-out/rights.ts'
import { PUBLIC } from '../../../schemas/intelligence/observations/audience.ts'
import { readSelector } from '../../../schemas/intelligence/selectors/read.ts'
import type { Selector } from '../../../schemas/intelligence/selectors/selector.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { pathOf } from '../admin/context.ts'
import type { ChosenContext } from '../contexts/chosen.ts'
import type { DownloadContext } from '../feed/download.ts'
import { textOf } from '../values/values.ts'

export type ExportContext = DownloadContext & {
  openChosen: () => Promise<ChosenContext>
  /** Unix milliseconds. */
  now: () => number
}

export type ExportFlags = { feed?: string; selector?: string; visibleBy?: string[]; name?: string; out?: string }

/** The format that says how entities are related. */
const RELATED = 'stix'

/** A document as it comes, and what is known of it once all of it came. */
export type Exported = { bytes: AsyncIterable<Uint8Array>; counts: () => { items: number; skipped: number } }

/**
 * What is exported, in a format: the list of a feed as the platform serves it, or the entities that a selector chooses now
 * for a reader in all of the groups. `use` takes the bytes; the store is open as long as it does.
 * @throws UsageError that names the option that cannot be used
 */
export async function exported(
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
  // Who is in `public` and others reads more than everybody does.
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
  if (!read.ok) throw new UsageError(`--selector: ${read.message}`)
  return read.selector
}
