import type { RescoreShadow } from '../../connectors/history/port.ts'
import type { EventLog } from '../../connectors/log/port.ts'
import type { ScoringRules } from '../../schemas/intelligence/scoring/rules.ts'
import type { EntityState } from '../../schemas/intelligence/state/entity-state.ts'
import { rescoreRow } from '../processors/intelligence/rescore.ts'
import { appliedOffsets, bothRules, type RescoreState } from './rescore-state.ts'

export type BuildPorts = { log: Pick<EventLog, 'committed' | 'offsets'>; shadow: RescoreShadow }

/** Called with every row that was written: before, and with its new score. */
export type EachRows = (rows: readonly (readonly [EntityState, EntityState])[]) => void

/**
 * Fills an empty generation with the rows of the live one, scored by other rules; nothing that is live is changed. What
 * is reported meanwhile may be missing, from the noted offsets on.
 * @throws the reason of `signal`, and what the ports throw: the generation is of no use then, and is dropped
 */
export async function build(
  { log, shadow }: BuildPorts,
  given: Pick<RescoreState, 'live' | 'before' | 'after'>,
  each: EachRows,
  signal: AbortSignal,
): Promise<RescoreState> {
  // Before the copy: whatever was applied up to there is in it.
  const since = await appliedOffsets(log)
  const state: RescoreState = { ...given, since, stage: 'building', from: [], at: 0 }
  await shadow.note(JSON.stringify(state))
  await shadow.copy()
  await writeScored(shadow, shadow.rows(), bothRules(state).after, `all:${since}`, each, signal)
  await shadow.link()
  await shadow.count()
  await shadow.dropCopy()
  const built: RescoreState = { ...state, stage: 'built' }
  await shadow.note(JSON.stringify(built))
  return built
}

/** Writes rows by new rules; `name` distinguishes them from others in the tokens. */
export async function writeScored(
  shadow: Pick<RescoreShadow, 'write'>,
  rows: AsyncIterable<EntityState[]>,
  rules: ScoringRules,
  name: string,
  each: EachRows,
  signal: AbortSignal,
): Promise<void> {
  let n = 0
  for await (const some of rows) {
    signal.throwIfAborted()
    const pairs = some.map((row) => [row, rescoreRow(row, rules)] as const)
    await shadow.write(
      pairs.map(([, row]) => row),
      `rescore:${name}:${n++}`,
    )
    each(pairs)
  }
}
