import type { PlacedLedgerRow } from '../../../connectors/history/match/port.ts'
import { hourOf } from '../../../schemas/match/ledger.ts'
import type { Match, MatchedEntity } from '../../../schemas/match/match.ts'
import { type Reach, reachOf } from '../../../schemas/match/place.ts'
import type { KnownOwner } from '../../processors/match/known-owners.ts'
import { entering, retroMatches, type ToldBefore } from '../../processors/match/retro.ts'
import { type MatchContext, presentOf } from './match-context.ts'
import { publishMatches } from './publish-matches.ts'
import { sendSightings } from './sightings.ts'
import { restoreMatches } from './withdraw.ts'

const DAY_MS = 86_400_000
/** Indicators of one question to the ledger: some 40 characters each in its parameters. */
const ENTITIES_AT_ONCE = 2_000
/** Networks are ranges, each a condition of its own. */
const NETWORKS_AT_ONCE = 100
const OWNERS_AT_ONCE = 500
const ROWS_AT_ONCE = 20_000

/**
 * Tells what the ledgers of these owners have met of indicators that came into their index (decisions 14.3). Asked
 * again, it tells nothing twice.
 * @param entities as all of these owners are shown them now
 * @returns how many matches were told
 */
export async function tellRetro(
  context: MatchContext,
  owners: readonly KnownOwner[],
  entities: readonly MatchedEntity[],
): Promise<number> {
  let told = 0
  for (let at = 0; at < owners.length; at += OWNERS_AT_ONCE) {
    const some = owners.slice(at, at + OWNERS_AT_ONCE)
    const [networks, values] = [entities.filter(isNetwork), entities.filter((one) => !isNetwork(one))]
    for (let n = 0; n < values.length; n += ENTITIES_AT_ONCE)
      told += await tellSome(context, some, values.slice(n, n + ENTITIES_AT_ONCE))
    for (let n = 0; n < networks.length; n += NETWORKS_AT_ONCE)
      told += await tellSome(context, some, networks.slice(n, n + NETWORKS_AT_ONCE))
  }
  return told
}

const isNetwork = ({ type }: MatchedEntity): boolean => type === 'cidr'

function reachOfAll(entities: readonly MatchedEntity[]): Reach {
  const reaches = entities.map(({ type, value }) => reachOf(type, value))
  return {
    anchors: [...new Set(reaches.flatMap(({ anchors }) => anchors))],
    below: [...new Set(reaches.flatMap(({ below }) => below))],
    ranges: reaches.flatMap(({ ranges }) => ranges),
  }
}

type RetroPass = { owner: KnownOwner; since: number; of: ReturnType<typeof retroMatches> }

async function tellSome(
  context: MatchContext,
  owners: readonly KnownOwner[],
  entities: readonly MatchedEntity[],
): Promise<number> {
  const { ports, options } = context
  const now = options.now()
  const byName = new Map(owners.map((one) => [one.owner, one]))
  const longest = Math.max(...owners.map(({ settings }) => settings.retentionDays))
  const reach = reachOfAll(entities)
  const matchedBy = entering(entities)
  let pass: RetroPass | null = null
  let told = 0

  async function tell(matches: readonly Match[]): Promise<void> {
    if (matches.length === 0) return
    const those = matches.map((match) => ({ owner: pass!.owner.owner, match }))
    const ids = [...new Set(matches.map(({ entity }) => entity.id))]
    await restoreMatches(context, [pass!.owner], ids)
    await sendSightings(context, those, await presentOf(context, ids))
    await publishMatches(context, those, null)
    told += matches.length
  }

  /** Rows come by owner: what was told of one is asked once. */
  async function begin(owner: KnownOwner): Promise<RetroPass> {
    if (pass !== null) await tell(pass.of.finish())
    const before = await toldBefore(context, owner.owner, entities)
    const since = now - owner.settings.retentionDays * DAY_MS
    return { owner, since, of: retroMatches(owner.owner, matchedBy, before, now) }
  }

  let after: PlacedLedgerRow | null = null
  for (;;) {
    const rows: PlacedLedgerRow[] = await ports.store.ledger(
      [...byName.keys()],
      reach,
      // The hour in which it begins has events of the time after it.
      hourOf(now - longest * DAY_MS),
      after,
      ROWS_AT_ONCE,
    )
    for (const [name, those] of Map.groupBy(rows, ({ owner }) => owner)) {
      if (pass?.owner.owner !== name) pass = await begin(byName.get(name)!)
      const { since, of } = pass
      await tell(of.of(those.filter(({ last }) => last >= since)))
    }
    after = rows.at(-1) ?? null
    if (rows.length < ROWS_AT_ONCE) break
  }
  if (pass !== null) await tell((pass as RetroPass).of.finish())
  return told
}

async function toldBefore(
  { ports: { store } }: MatchContext,
  owner: string,
  entities: readonly MatchedEntity[],
): Promise<ToldBefore> {
  const ids = entities.map(({ id }) => id)
  const [forward, retro] = await Promise.all([store.tallies(owner, ids), store.toldRetro(owner, ids)])
  return { forward, retro: new Map(retro.map((one) => [one.id, one])) }
}
