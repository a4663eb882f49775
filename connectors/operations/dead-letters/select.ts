import { letterPlace } from '../../../schemas/operation/dead-letter.ts'
import type { DeadLetterEntry } from './entries.ts'
import type { DeadLetterLookup } from './lookup.ts'
import { BadSelection, type DeadLetterQuery, type DeadLetterSelection, type HandledDeadLetters } from './port.ts'

const MAX_SKIPPED = 1_000

export type SelectedDeadLetters = { entries: DeadLetterEntry[]; skipped: HandledDeadLetters['skipped'] }

/**
 * The waiting dead letters that a selection names, and the ids that were skipped.
 * @throws BadSelection
 */
export async function selectDeadLetters(
  { outcomes, entriesOf }: DeadLetterLookup,
  selection: DeadLetterSelection,
): Promise<SelectedDeadLetters> {
  await outcomes.refresh()
  if ('ids' in selection) return selectIds({ outcomes, entriesOf }, [...new Set(selection.ids)])
  const { topic, reason, range } = selection
  if (reason === undefined && range === undefined) throw new BadSelection('a reason or a range is required')
  const entries = (await entriesOf(topic)).filter(
    (entry) =>
      outcomes.of(entry.id) === null && hasReason(entry, reason) && (range === undefined || isInRange(entry, range)),
  )
  return { entries, skipped: [] }
}

async function selectIds(
  { outcomes, entriesOf }: Pick<DeadLetterLookup, 'outcomes' | 'entriesOf'>,
  ids: readonly string[],
): Promise<SelectedDeadLetters> {
  const entries: DeadLetterEntry[] = []
  const skipped: HandledDeadLetters['skipped'] = []
  const topics = new Set(ids.flatMap((id) => letterPlace(id)?.topic ?? []))
  const known = new Map<string, DeadLetterEntry>()
  for (const topic of topics) for (const entry of await entriesOf(topic)) known.set(entry.id, entry)
  for (const id of ids) {
    const entry = known.get(id)
    const outcome = outcomes.of(id)
    if (entry === undefined) skipped.push({ id, why: 'no such dead letter' })
    else if (outcome !== null) skipped.push({ id, why: `already ${outcome.state} by ${outcome.by}` })
    else entries.push(entry)
  }
  return { entries, skipped: skipped.slice(0, MAX_SKIPPED) }
}

/** Whether a query matches, apart from its topic and the state. */
export const matchesQuery = (
  entry: DeadLetterEntry,
  { reason, since, until }: Omit<DeadLetterQuery, 'topic'>,
): boolean =>
  hasReason(entry, reason) &&
  (since === undefined || entry.buriedAt >= since) &&
  (until === undefined || entry.buriedAt < until)

const hasReason = ({ reason }: DeadLetterEntry, words: string | undefined): boolean =>
  words === undefined || reason.toLowerCase().includes(words.toLowerCase())

const isInRange = (
  { place }: DeadLetterEntry,
  { partition, from, to }: { partition: number; from: number; to: number },
): boolean => place.partition === partition && place.offset >= from && place.offset < to
