import { join } from 'node:path'
import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { parseFeed } from '../../../connectors/feeds/feed.ts'
import { openSource } from '../../../connectors/feeds/source.ts'
import { removeCheckpoint } from '../../../pipelines/import/checkpoint.ts'
import { countedOnly, rejectsFile } from '../../../pipelines/import/rejects.ts'
import { type ImportPorts, type ImportResult, runImport } from '../../../pipelines/import/run.ts'
import { perSecond, progressTo } from '../progress.ts'
import { type ImportFlags, importKey, readFlags } from './import-options.ts'

/** What the composition root hands to the command. */
export type FeedImportContext = ImportPorts & {
  /** Checkpoints live in `<data folder>/imports`. */
  dataDir: string
  close(): Promise<void>
}

export type FeedImportProcess = {
  stdin: Readable
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
  /** Unix milliseconds. */
  now: () => number
  /** Aborted when the user asks to stop. */
  signal: AbortSignal
}

type Flags = ImportFlags & { rejects?: string; restart?: boolean }

const collect = (value: string, all: string[]): string[] => [...all, value]

/** Adds `import` to the command `feed`. `open` connects the log; it is called when the flags are known to be right. */
export function registerFeedImport(
  feed: Command,
  open: () => Promise<FeedImportContext>,
  process: FeedImportProcess,
): void {
  feed
    .command('import <file|url|->')
    .description('publish what a feed lists; the same command again goes on where an interrupted one stopped')
    .requiredOption('--format <format>', 'lines, csv, tsv, misp, stix or warninglist')
    .requiredOption('--feed <name>', 'name that the feed is registered under: the source of its claims')
    .option('--trust <weight>', 'weight of its claims, above 0, at most 1', '0.7')
    .option('--columns <list>', 'csv, tsv: indicator, an attribute, tag, reputation or - for each column')
    .option('--delimiter <character>', 'csv: what separates cells, or tab (,)')
    .option('--quote <character>', 'csv: what stands around a cell with such a character, or none (")')
    .option('--comment <character>', 'csv: what begins a line that says nothing, or none (#)')
    .option('--header', 'csv, tsv: the first row is a heading')
    .option('--trailing-tags', 'lines: words after the indicator are tags')
    .option('--type <type>', 'catalogue type of every indicator; detected when not given')
    .option('--reputation <score>', 'claimed of what the feed calls malicious, -3..3 (-3)')
    .option('--tag <tag>', 'tag of every entity; may be repeated', collect, [])
    .option(
      '--visible-by <group>',
      'group of readers, public when not given; may be repeated. What is marked above TLP:GREEN (MISP: a distribution below 3, or 4) is rejected unless this or --marking names groups for it',
      collect,
      [],
    )
    .option(
      '--marking <tlp=groups>',
      'misp, stix: who may read what has a marking, as in amber=team,partners; may be repeated',
      collect,
      [],
    )
    .option('--batch <observations>', 'observations that are made durable at once', '10000')
    .option('--rejects <file>', 'write rejected lines, with reasons, to this file')
    .option('--restart', 'forget where an interrupted import of the same input stopped')
    .action(async (place: string, flags: Flags) => {
      const result = await importFeed(place, flags, open, process)
      const advice = result.resumable ? ': the same command goes on' : ''
      if (result.interrupted) feed.error(`interrupted${advice}`, { exitCode: 130 })
    })
}

async function importFeed(
  place: string,
  flags: Flags,
  open: () => Promise<FeedImportContext>,
  { stdin, stdout, stderr, now, signal }: FeedImportProcess,
): Promise<ImportResult> {
  const settings = readFlags(flags)
  const source = await openSource(place, stdin)
  const context = await open()
  const started = now()
  const progress = progressTo(stderr, source.size, now)
  try {
    const key = importKey(source.identity ?? `${place} ${started}`, settings)
    const checkpointPath = source.identity === null ? null : join(context.dataDir, 'imports', `${key}.json`)
    if (checkpointPath === null) stderr.write(`${place} cannot be recognised again: this import cannot be resumed\n`)
    else if (flags.restart) await removeCheckpoint(checkpointPath)
    const rejects = flags.rejects
    const result = await runImport(context, {
      feed: settings.feed,
      readers: settings.readers,
      key,
      checkpointPath,
      items: () => parseFeed(source.bytes, settings.parse),
      openRejects: async (already) => (rejects === undefined ? countedOnly : rejectsFile(rejects, already)),
      now: started,
      maxObservations: settings.maxObservations,
      signal,
      onProgress: (state) => progress.update({ ...state, bytes: source.read() }),
    })
    progress.stop()
    stdout.write(summary(result, now() - started))
    if (result.withheld > 0)
      stderr.write(
        `${result.withheld} of the rejected lines are restricted by their markings: --visible-by, or --marking, ` +
          'says who may read them\n',
      )
    return result
  } finally {
    progress.stop()
    await context.close()
  }
}

function summary({ line, published, rejected, resumedAfter, recovered }: ImportResult, elapsedMs: number): string {
  const went = resumedAfter === null ? '' : `resumed after line ${resumedAfter}, ${recovered} were already there\n`
  const rate = resumedAfter === null ? `, ${perSecond(published, elapsedMs)}/s` : ''
  return `${went}${published} observations published, ${rejected} lines rejected, up to line ${line}${rate}\n`
}
