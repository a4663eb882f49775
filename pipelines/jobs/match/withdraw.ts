import type { MatchState } from '../../../connectors/history/match/port.ts'
import type { MatchStep } from '../../../schemas/match/match.ts'
import type { KnownOwner } from '../../processors/match/known-owners.ts'
import { TELLING } from './load.ts'
import type { MatchContext, Telling } from './match-context.ts'
import { type MatchNews, publishNews } from './publish-matches.ts'

/** Matches of one entity that are read at once, to be told. */
const MATCHES_AT_ONCE = 5_000

/**
 * Withdraws what was told of indicators that left the index of these owners (decisions 14.3). It is a state of an owner
 * and an entity, whatever the number of matches; the log has a record for each.
 * @param left why each of them left, by entity id
 */
export async function withdrawMatches(
  context: MatchContext,
  owners: readonly KnownOwner[],
  left: ReadonlyMap<string, string>,
): Promise<void> {
  if (left.size === 0) return
  const { store } = context.ports
  const matched = await store.matched(
    owners.map(({ owner }) => owner),
    [...left.keys()],
    null,
  )
  for (const owner of owners) {
    const ids = matched.filter((one) => one.owner === owner.owner).map(({ entityId }) => entityId)
    const withdrawn = await statesOf(context, owner, ids)
    const at = context.options.now()
    const version = context.newVersion()
    const states = ids
      .filter((entityId) => !withdrawn.has(entityId))
      .map((entityId) => ({ owner: owner.owner, entityId, version, withdrawnAt: at, reason: left.get(entityId)! }))
    await change(context, owner, states, 'withdrawn', at)
  }
}

/** Takes back that matches of these entities are withdrawn: under the same ids they stand as before. */
export async function restoreMatches(
  context: MatchContext,
  owners: readonly KnownOwner[],
  entityIds: readonly string[],
): Promise<void> {
  if (entityIds.length === 0) return
  const names = owners.map(({ owner }) => owner)
  // Only what has matches is withdrawn: of one owner, its states alone say it.
  const matched = names.length === 1 ? null : await context.ports.store.matched(names, entityIds, null)
  for (const owner of owners) {
    const ids = matched?.filter((one) => one.owner === owner.owner).map(({ entityId }) => entityId) ?? entityIds
    const withdrawn = await statesOf(context, owner, ids)
    const at = context.options.now()
    const version = context.newVersion()
    const states = [...withdrawn].map((entityId) => {
      return { owner: owner.owner, entityId, version, withdrawnAt: null, reason: '' }
    })
    await change(context, owner, states, 'restored', at)
  }
}

/** Of these entities those whose matches are withdrawn. */
async function statesOf({ ports }: MatchContext, { owner }: KnownOwner, entityIds: readonly string[]) {
  const states = entityIds.length === 0 ? [] : await ports.store.states(owner, entityIds)
  return new Set(states.filter(({ withdrawnAt }) => withdrawnAt !== null).map(({ entityId }) => entityId))
}

/**
 * The log is told first: what is told twice after a crash says the same, and nothing is stored untold. What it is told of is
 * noted, as it may be overtaken before it is stored.
 */
async function change(
  context: MatchContext,
  { owner }: KnownOwner,
  states: readonly MatchState[],
  step: MatchStep,
  at: number,
): Promise<void> {
  if (states.length === 0) return
  const { store } = context.ports
  await noteTelling(context, { owner, entityIds: states.map(({ entityId }) => entityId) })
  for (const { entityId, reason } of states)
    await tellAll(context, owner, entityId, { step, at, reason: reason || null })
  await store.putStates(states, at)
  await noteTelling(context, null)
}

async function tellAll(
  context: MatchContext,
  owner: string,
  entityId: string,
  what: Pick<MatchNews, 'step' | 'at' | 'reason'>,
): Promise<void> {
  for (let after: string | null = null; ; ) {
    const matches = await context.ports.store.matchesOf(owner, entityId, after, MATCHES_AT_ONCE)
    await publishNews(
      context,
      matches.map(({ groups, ...match }) => ({ owner, groups, match, ...what })),
    )
    if (matches.length < MATCHES_AT_ONCE) return
    after = matches.at(-1)!.id
  }
}

async function noteTelling(context: MatchContext, telling: Telling | null): Promise<void> {
  context.telling = telling ?? context.telling
  const text = telling === null ? '' : JSON.stringify(telling)
  await context.ports.store.putNote(TELLING, text, context.newVersion(), context.options.now())
  context.telling = telling
}

/** Tells the log what is stored of matches that it may have been told something else of. */
export async function publishStored(context: MatchContext): Promise<void> {
  const { telling, ports, options } = context
  if (telling === null) return
  const { owner, entityIds } = telling
  const states = new Map((await ports.store.states(owner, entityIds)).map((state) => [state.entityId, state]))
  for (const entityId of entityIds) {
    const { withdrawnAt = null, reason = null } = states.get(entityId) ?? {}
    const step = withdrawnAt === null ? 'restored' : 'withdrawn'
    await tellAll(context, owner, entityId, { step, at: withdrawnAt ?? options.now(), reason: reason || null })
  }
  await noteTelling(context, null)
}
