import type { Command } from 'commander'
import type { FeedChecks, ListFault } from '../../../connectors/history/feeds-out/port.ts'
import { pause as forReal } from '../../../platform/pause.ts'
import { type FeedHead, stateOf } from '../../../schemas/feeds-out/head.ts'
import type { ScoringRules } from '../../../schemas/intelligence/scoring/rules.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { jsonLines, LINES, withJson } from '../output.ts'
import { amount } from '../values/amount.ts'

export type FeedVerifyContext = FeedChecks & {
  /** The live tables of the entities. */
  live(): Promise<{ database: string; rules: ScoringRules }>
  close(): Promise<void>
}

type VerifyProcess = {
  stdout: { write(text: string): unknown }
  /** Unix milliseconds. */
  now: () => number
  pause?: typeof forReal
  signal: AbortSignal
}

type Told = { text: string; state: 'right' | 'wrong' | 'building' | 'deleted'; faults: readonly string[] }

/** A list follows its log: what is found is looked at again, and only what stays is a fault. */
const LOOKS = 6
const BETWEEN_MS = 2_000
/** Differences of one look, and faults that are printed. */
const MAX_DIFFERENCES = 1_000
const MAX_PRINTED = 20

/** Adds `verify` to the command `feed`; it ends with 1 when a list is wrong. */
export function registerFeedVerify(
  feed: Command,
  open: () => Promise<FeedVerifyContext>,
  process: VerifyProcess,
): void {
  const command = withJson(feed.command('verify [id...]'), `${LINES} for every list`).description(
    'compare published lists with the entities that their selectors choose now; default: all lists',
  )
  command.action(async (ids: string[], { json }: { json?: true }) => {
    const context = await open()
    let wrong = 0
    try {
      const heads = await context.heads()
      const unknown = ids.find((id) => !heads.some(({ feed: { id: known } }) => known === id))
      if (unknown !== undefined) throw new UsageError(`there is no stored list of the feed ${unknown}`)
      for (const {
        feed: { id },
      } of heads) {
        if (ids.length > 0 && !ids.includes(id)) continue
        const { text, faults, state } = await verified(context, id, process)
        process.stdout.write(json ? jsonLines([{ id, state, faults }]) : text)
        if (faults.length > 0) wrong++
      }
      if (heads.length === 0 && !json) process.stdout.write('no feeds are published\n')
    } finally {
      await context.close()
    }
    if (wrong > 0) command.error(`${amount(wrong, 'list is', 'lists are')} wrong`, { exitCode: 1 })
  })
}

/** Looks at one list until nothing is wrong with it, or the same for all looks. */
async function verified(
  context: FeedVerifyContext,
  id: string,
  { now, pause = forReal, signal }: VerifyProcess,
): Promise<Told> {
  let left: ListFault[] | null = null
  let head: FeedHead | null = null
  for (let look = 0; look < LOOKS && left?.length !== 0; look++) {
    if (look > 0) await pause(BETWEEN_MS, signal)
    signal.throwIfAborted()
    head = await context.head(id)
    if (head === null) return { text: `${id} was deleted\n`, state: 'deleted', faults: [] }
    if (stateOf(head) === 'building') break
    const found = await faultsOf(context, head, now())
    left = left === null ? found : inBoth(left, found)
  }
  return told(head!, left)
}

function inBoth(before: readonly ListFault[], found: readonly ListFault[]): ListFault[] {
  const kinds = new Set(before.map(({ kind }) => kind))
  return found.filter(({ kind }) => kinds.has(kind))
}

async function faultsOf(context: FeedVerifyContext, head: FeedHead, now: number): Promise<ListFault[]> {
  const live = await context.live()
  if (head.held === null && head.generation !== live.database)
    return [
      {
        kind: 'generation',
        text: `it was made from the tables ${head.generation}, but the live tables are ${live.database}`,
      },
    ]
  return context.faults(head, { ...live, now }, MAX_DIFFERENCES)
}

function told(head: FeedHead, faults: readonly ListFault[] | null): Told {
  const { feed, items, sequence, held } = head
  const name = `${feed.id} ${feed.name}`
  if (faults === null) return { text: `${name}: is being made; not compared\n`, state: 'building', faults: [] }
  const size = `${items} items, sequence ${sequence}`
  const state = held === null ? '' : ', held: its members are not compared'
  if (faults.length === 0) return { text: `${name}: ${size}: right${state}\n`, state: 'right', faults: [] }
  const lines = faults.slice(0, MAX_PRINTED).map(({ text }) => `  ${text}`)
  if (faults.length > MAX_PRINTED) lines.push(`  and more`)
  return {
    text: `${name}: ${size}: wrong${state}\n${lines.join('\n')}\n`,
    state: 'wrong',
    faults: faults.map(({ text }) => text),
  }
}
