import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { accessOf } from '../../../connectors/feeds/taxii/access.ts'
import { taxiiCollection } from '../../../connectors/feeds/taxii/client.ts'
import { runTaxii, type TaxiiSum } from '../../../pipelines/import/taxii/run-taxii.ts'
import { pause } from '../../../platform/pause.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { document } from '../output.ts'
import { amount } from '../values/amount.ts'
import { unusable } from '../values/values.ts'
import type { FeedImportContext, FeedImportFlags, FeedImportProcess } from './import-context.ts'
import { importKey, readFlags } from './import-options.ts'
import { lossLines, writeLoss } from './loss.ts'
import { rejectedLines } from './rejected.ts'
import { withheldAdvice } from './withheld.ts'

const SECOND = 1_000
const USUAL_SECONDS = 60

/**
 * Imports a collection of a TAXII server from where the last import of it stood; with `--follow` until interrupted.
 * Credentials are in no message (decisions 15.5).
 * @throws Interrupted when it was
 */
export async function importCollection(
  place: string,
  flags: FeedImportFlags,
  open: () => Promise<FeedImportContext>,
  { stdout, stderr, now, signal }: FeedImportProcess,
): Promise<Pick<TaxiiSum, 'published' | 'rejected'>> {
  const settings = readFlags(flags)
  if (flags.interval !== undefined && flags.follow !== true)
    throw new UsageError('--interval is only used with --follow')
  const { url, access } = await accessOf(place, flags).catch((error: Error) => {
    throw new UsageError(error.message, { cause: error })
  })
  const context = await open()
  try {
    const collection = taxiiCollection(url, access, { now, pause })
    const key = importKey(`taxii ${url.href}`, settings)
    const imports = join(context.dataDir, 'imports')
    const statePath = join(imports, `taxii-${key}.json`)
    if (flags.restart === true) await rm(statePath, { force: true })
    const rejects = rejectedLines(flags.rejects)
    let told = 0
    const sum = await runTaxii(context, {
      collection,
      key,
      statePath,
      checkpointPath: (chunk) => join(imports, `taxii-${key}-${chunk}.json`),
      feed: settings.feed,
      readers: settings.readers,
      parse: settings.parse,
      maxObservations: settings.maxObservations,
      rejects: await rejects.open(0),
      everyMs: flags.follow === true ? (flags.interval ?? USUAL_SECONDS) * SECOND : null,
      now,
      pause,
      signal,
      onPoll(sum) {
        if (sum.objects > told) stderr.write(`${shownSum(sum)}\n`)
        told = sum.objects
      },
      onNote: (note) => void stderr.write(`note: ${note}\n`),
      onFailure: (error) => void stderr.write(`the poll failed and will be repeated: ${error.message}\n`),
    }).catch((error: unknown) => {
      stderr.write(rejects.text(rejects.first.length))
      throw error
    })
    if (flags.json) stdout.write(document({ ...sum, firstRejected: rejects.first }))
    else stdout.write(`${shownSum(sum)}\n${lossLines(sum.lost)}`)
    stderr.write(rejects.text(sum.rejected))
    if (flags.loss !== undefined) await writeLoss(flags.loss, sum.lost).catch(unusable(flags.loss))
    stderr.write(withheldAdvice(sum.withheld))
    if (signal.aborted) throw new Interrupted(shownSum(sum))
    return sum
  } finally {
    await context.close()
  }
}

const shownSum = ({ objects, published, rejected, addedAfter }: TaxiiSum): string =>
  `${amount(objects, 'object')} read, ${amount(published, 'observation')} published, ${amount(rejected, 'line')} rejected` +
  (addedAfter === null ? '' : `, everything that was added until ${addedAfter}`)
