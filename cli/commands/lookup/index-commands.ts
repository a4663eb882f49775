import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { Compared, Difference } from '../../../connectors/lookups/compare-index.ts'
import type { LookupIndexStatus } from '../../../connectors/lookups/index/status.ts'
import type { PresentRow } from '../../../schemas/intelligence/state/present.ts'
import { document, withJson } from '../output.ts'

/** What the composition root hands to the commands. */
export type LookupIndexContext = {
  status(): Promise<LookupIndexStatus>
  /** Asks for an index that is made anew. Returns whether a running platform will. */
  askAnew(): boolean
  /** null: there is no index. @throws when index or store cannot be read, or the index does not follow the log */
  verify(): Promise<Compared | null>
}

type Ports = {
  open: () => Promise<LookupIndexContext>
  stdout: { write(text: string): unknown }
  signal: AbortSignal
}

const SAID: Readonly<Record<LookupIndexStatus['state'], string>> = {
  off: 'switched off by HARRIER_LOOKUP_INDEX; the store answers',
  unasked: 'none: nobody has asked for a reputation yet; the first question has it built',
  refused: 'none; the store answers',
  building: 'being built; the store answers',
  behind: 'behind the log; the store answers',
  current: 'current',
}

const LOOK_MS = 200
const MIB = 1024 ** 2

/**
 * Adds `lookup-index status`, `verify` and `rebuild` to the program (decisions 18.6). `verify` ends with 0 when index and store say the
 * same, with 1 when they do not, and with 2 when it could not compare them.
 */
export function registerLookupIndex(program: Command, { open, stdout, signal }: Ports): void {
  const index = program.command('lookup-index').description('show, check and rebuild the index that look-ups read')

  withJson(index.command('status'))
    .description('show whether look-ups read the index, how large it is and how far behind')
    .action(async ({ json }: { json?: true }) => {
      const status = await (await open()).status()
      stdout.write(json ? document(status) : said(status))
    })

  withJson(index.command('verify'))
    .description('compare every value of the index with the store; the platform keeps running')
    .action(async ({ json }: { json?: true }) => {
      const compared = await (await open()).verify().catch((error: Error) => unable(error.message))
      if (compared === null) return unable('there is no index; `harrier lookup-index status` says why')
      const { values, differences } = compared
      if (json) stdout.write(document({ values, differences: differences.map(shown) }))
      else
        for (const { key, entityId } of differences)
          stdout.write(`differs: ${entityId ?? `a value with the digest ${key}...`}\n`)
      if (differences.length > 0)
        index.error(`${differences.length} of ${values} values differ; run 'harrier lookup-index rebuild'`, {
          exitCode: 1,
        })
      if (!json) stdout.write(`all ${values} values are the same in index and store\n`)
    })

  withJson(index.command('rebuild'))
    .description('rebuild the index, and wait until look-ups read it; the store answers meanwhile')
    .action(async ({ json }: { json?: true }) => {
      const context = await open()
      const asked = Date.now()
      if (!context.askAnew()) {
        if (json) stdout.write(document(await context.status()))
        else stdout.write('no platform runs here; it builds the index at its next start\n')
        return
      }
      for (;;) {
        const status = await context.status()
        const isNew = status.builtAt !== null && Date.parse(status.builtAt) >= asked
        if (status.state === 'off' || status.state === 'refused') return unable(said(status).trimEnd())
        if (isNew && status.state === 'current') {
          stdout.write(json ? document(status) : said(status))
          return
        }
        await sleep(LOOK_MS, undefined, { signal })
      }
    })

  function unable(why: string): never {
    return index.error(why, { exitCode: 2 })
  }
}

/** Ids of audiences are numbers of 64 bits, which JSON has not. */
const shownRows = (rows: readonly PresentRow[] | null) =>
  rows?.map((row) => ({ ...row, audience: String(row.audience) })) ?? null

const shown = ({ key, entityId, index, store }: Difference) => ({
  key,
  entityId,
  index: shownRows(index),
  store: shownRows(store),
})

function said({ state, reason, values, bytes, behindSeconds, builtAt }: LookupIndexStatus): string {
  const lines = [`state    ${SAID[state]}${reason === null ? '' : `: ${reason}`}`]
  if (builtAt !== null)
    lines.push(
      `values   ${values}`,
      `disk     ${Math.ceil(bytes / MIB)} MiB`,
      `behind   ${behindSeconds?.toFixed(1)} s`,
      `built    ${builtAt}`,
    )
  return `${lines.join('\n')}\n`
}
