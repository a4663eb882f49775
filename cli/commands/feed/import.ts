import { join } from 'node:path'
import { type Command, Option } from 'commander'
import { shownUrl } from '../../../connectors/feeds/feed-url.ts'
import type { Lost } from '../../../connectors/feeds/parse/stix/lost.ts'
import { FORMATS, parseFeed } from '../../../connectors/feeds/read-feed.ts'
import { openSource } from '../../../connectors/feeds/source.ts'
import { removeCheckpoint } from '../../../pipelines/import/checkpoint.ts'
import { type ImportResult, runImport } from '../../../pipelines/import/run-import.ts'
import { Interrupted } from '../../wiring/interruption/interrupted.ts'
import { document, withJson } from '../output.ts'
import { perSecond, progressTo } from '../progress.ts'
import { amount } from '../values/amount.ts'
import { unusable, weight, wholeNumber } from '../values/values.ts'
import type { FeedImportContext, FeedImportFlags, FeedImportProcess } from './import-context.ts'
import { importMispFeed } from './import-misp-feed.ts'
import { importKey, readFlags } from './import-options.ts'
import { importCollection } from './import-taxii.ts'
import { lossLines, writeLoss } from './loss.ts'
import { ALL_REJECTED, rejectedLines } from './rejected.ts'
import type { FeedRetractContext } from './retract.ts'
import { withheldAdvice } from './withheld.ts'

const collect = (value: string, all: string[]): string[] => [...all, value]

/**
 * Adds `import` to the command `feed`. `open` connects the log, `openRetract` log and history; they are called when the flags
 * are known to be right, the latter when something left a feed.
 */
export function registerFeedImport(
  feed: Command,
  open: () => Promise<FeedImportContext>,
  process: FeedImportProcess,
  openRetract: () => Promise<FeedRetractContext> = async () => {
    throw new Error('no history store')
  },
): void {
  withJson(feed.command('import <file|url|->'))
    .description('publish the indicators of a feed; the same command resumes an interrupted import')
    .addOption(
      new Option(
        '--format <format>',
        'what the feed is; lines: one value a line, ranges: from and to as networks; hosts, abp, dnsmasq, unbound, rpz: lists of DNS blockers; jsonl: JSON objects, one a line; misp-feed: a folder or URL with a manifest.json, taxii: the URL of a collection',
      )
        .choices([...FORMATS, 'misp-feed', 'taxii'])
        .makeOptionMandatory(),
    )
    .requiredOption('--feed <name>', 'registered name of the feed, which becomes the source of the claims')
    .option('--trust <weight>', 'weight of the claims, above 0, at most 1', weight, 0.7)
    .option(
      '--columns <list>',
      'csv, tsv: meaning of each column: indicator, an attribute, tag, reputation, or - to skip; jsonl: <member>=<meaning> of those that are read',
    )
    .option('--delimiter <character>', 'csv: cell separator, or tab (,)')
    .option('--quote <character>', 'csv: quote character of cells, or none (")')
    .option('--comment <character>', 'csv: first character of comment lines, or none (#)')
    .option('--header', 'csv, tsv: the first row is a header')
    .option('--trailing-tags', 'lines: treat the words after the indicator as tags')
    .option('--type <type>', 'catalogue type of every indicator; default: detected')
    .option(
      '--reputation <score>',
      'reputation of indicators that the feed calls malicious, -3..3 (-3)',
      wholeNumber(-3, 3),
    )
    .option('--tag <tag>', 'tag of every entity; may be repeated', collect, [])
    .option(
      '--visible-by <group>',
      'group that may read the observations; default: public; may be repeated. Lines marked above TLP:GREEN (MISP: a distribution below 3, or 4) are rejected unless this option or --marking names groups for them',
      collect,
      [],
    )
    .option(
      '--marking <tlp=groups>',
      'misp, stix, taxii: groups that may read lines with a marking, as in amber=team,partners; may be repeated',
      collect,
      [],
    )
    .option('--batch <observations>', 'number of observations per durable write', wholeNumber(1, 100_000), 10_000)
    .option('--rejects <file>', 'write rejected lines with their reasons to this file')
    .option('--follow', 'taxii: continue to poll until interrupted')
    .option('--interval <seconds>', 'taxii: time between polls, with --follow (60)', wholeNumber(1, 86_400))
    .option('--token-file <file>', 'taxii: file with a bearer token; user and password may be in the URL instead')
    .option('--cert <file>', 'taxii: client certificate, PEM; with --key')
    .option('--key <file>', 'taxii: key of the client certificate, PEM')
    .option('--loss <file>', 'stix, taxii: write to this file, as JSON, which content of the objects is not kept')
    .option('--restart', 'start from the beginning instead of resuming an interrupted import')
    .action(async (place: string, flags: FeedImportFlags) => {
      if (flags.format === 'misp-feed') return importMispFeed(feed, place, flags, { open, openRetract }, process)
      const { published, rejected } =
        flags.format === 'taxii'
          ? await importCollection(place, flags, open, process)
          : await importFeed(place, flags, open, process)
      if (published === 0 && rejected > 0) refuseAll(feed, rejected, flags.format)
    })
}

/** Formats of documents, which are what they are: another format would not read them. */
const DOCUMENTS = new Set(['misp', 'stix', 'taxii', 'warninglist'])

/** Ends a command none of whose lines could be used. */
function refuseAll(command: Command, rejected: number, format: string): never {
  const advice = DOCUMENTS.has(format)
    ? 'the reasons are above, and all of them in the file of --rejects'
    : 'look at --format and --columns'
  return command.error(`all ${rejected} lines were rejected and nothing was imported; ${advice}`, {
    exitCode: ALL_REJECTED,
  })
}

async function importFeed(
  place: string,
  flags: FeedImportFlags,
  open: () => Promise<FeedImportContext>,
  { stdin, stdout, stderr, now, signal }: FeedImportProcess,
): Promise<ImportResult> {
  const settings = readFlags(flags)
  const shown = shownPlace(place)
  const source = await openSource(place, stdin).catch(unusable(shown))
  const context = await open()
  const started = now()
  const progress = progressTo(stderr, source.size, now)
  try {
    const key = importKey(source.identity ?? `${place} ${started}`, settings)
    const checkpointPath = source.identity === null ? null : join(context.dataDir, 'imports', `${key}.json`)
    if (checkpointPath === null)
      stderr.write(`${shown} cannot be recognised in a later run, so this import cannot be resumed\n`)
    else if (flags.restart) await removeCheckpoint(checkpointPath)
    const rejects = rejectedLines(flags.rejects)
    let lost: readonly Lost[] = []
    let published = 0
    // An input that says nothing more would hold the command.
    if (place === '-') signal.addEventListener('abort', () => stdin.destroy(), { once: true })
    const result = await runImport(context, {
      feed: settings.feed,
      readers: settings.readers,
      key,
      checkpointPath,
      items: () =>
        parseFeed(source.bytes, settings.parse, (found) => {
          lost = found
        }),
      remembers: settings.parse.format === 'stix',
      openRejects: rejects.open,
      now: started,
      maxObservations: settings.maxObservations,
      signal,
      onProgress: (state) => {
        published = state.published
        progress.update({ ...state, bytes: source.read() })
      },
    }).catch((cause: Error) => {
      if (!signal.aborted) throw cause
      throw new Interrupted(
        `${published} observations are published; the next import of this input starts from the beginning`,
        null,
        {
          cause,
        },
      )
    })
    progress.stop()
    if (flags.json) stdout.write(document({ ...result, firstRejected: rejects.first, lost }))
    else stdout.write(`${summary(result, now() - started)}${lossLines(lost)}`)
    stderr.write(rejects.text(result.rejected))
    if (flags.loss !== undefined) await writeLoss(flags.loss, lost).catch(unusable(flags.loss))
    stderr.write(withheldAdvice(result.withheld))
    if (result.interrupted) {
      const done = `${result.published} observations are published, up to line ${result.line}`
      throw new Interrupted(
        result.resumable
          ? done
          : `${done}; the input cannot be read again, so the next import starts from the beginning`,
      )
    }
    return result
  } finally {
    progress.stop()
    await context.close()
  }
}

/** Nothing in it may be a password. */
const shownPlace = (place: string): string => (URL.canParse(place) ? shownUrl(new URL(place)) : place)

function summary({ line, published, rejected, resumedAfter, recovered }: ImportResult, elapsedMs: number): string {
  const went =
    resumedAfter === null
      ? ''
      : `resumed after line ${resumedAfter}; already published: ${amount(recovered, 'observation')}\n`
  const rate = resumedAfter === null ? `, ${perSecond(published, elapsedMs)}/s` : ''
  return `${went}${amount(published, 'observation')} published, ${amount(rejected, 'line')} rejected, up to line ${line}${rate}\n`
}
