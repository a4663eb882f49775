import type { Readable } from 'node:stream'
import type { Command } from 'commander'
import { type Extraction, leftOutWords } from '../../../schemas/intelligence/extract/extract.ts'
import type { Indicator } from '../../../schemas/intelligence/extract/indicator.ts'
import { answerOf, worstFirst } from '../../../schemas/intelligence/extract/ranking.ts'
import { UsageError } from '../../wiring/process/usage.ts'
import { asking } from '../admin/context.ts'
import type { AdminRequest } from '../admin/server.ts'
import { LINES, withJson } from '../output.ts'
import { askAbout } from './ask.ts'
import { asCsv, asJson, asTable, type LookedUp, summary } from './print.ts'
import { readIndicators } from './read.ts'
import { asSentence, valueIn } from './value.ts'

type Output = { write(text: string): unknown }

export type LookupContext = {
  /** The platform that is asked. */
  open: () => Promise<AdminRequest>
  stdin: Readable
  stdout: Output
  stderr: Output
  /** Aborted when the caller does not need the result any more. */
  signal: AbortSignal
}

type Flags = { json?: true; csv?: true; malicious?: true }

/** Adds `lookup`: what is known of the indicators of any text (ADR 232). */
export function registerLookup(program: Command, context: LookupContext): void {
  withJson(asking(program.command('lookup <file|value>')), LINES)
    .description(
      'look up a value, or the indicators of a text, such as a log, a mail or a report; `-` reads the standard input',
    )
    .option('--malicious', 'only those with a negative reputation')
    .option('--csv', 'print CSV')
    .action((place: string, flags: Flags) => lookUp(place, flags, context))
}

async function lookUp(place: string, { json, csv, malicious }: Flags, context: LookupContext): Promise<void> {
  if (json && csv) throw new UsageError('--json and --csv: choose one of them')
  const { stdin, stdout, stderr, signal } = context
  const single = await valueIn(place)
  const { indicators, lines, left } = single === null ? await readIndicators(place, stdin, signal) : only(single)
  if (signal.aborted) throw new Error('stopped before the text was read; nothing was looked up')
  const values = [...new Set(indicators.map(({ value }) => value))]
  const ask = await context.open()
  const { known, asked, failed } = await askAbout(values, ask, signal)
  const all = indicators
    .map((one): LookedUp => {
      const found = known.get(one.value) ?? NOTHING
      return { ...one, ...found, covered: found.networks.length > 0, asked: asked.has(one.value) }
    })
    .sort(worstFirst)
  if (single !== null && !json && !csv) {
    if (failed !== null) throw failed
    for (const one of all) stdout.write(await asSentence(one, ask, Date.now()))
    return
  }
  const shown = malicious ? all.filter((one) => answerOf(one) === 'malicious') : all
  if (json) stdout.write(asJson(shown))
  else if (csv) stdout.write(asCsv(shown))
  else if (shown.length > 0) stdout.write(asTable(shown))
  // What programs read has one form; the counts are for people.
  const say = json || csv ? stderr : stdout
  say.write(summary(all, lines))
  const words = leftOutWords(left)
  if (words.length > 0) say.write(`left out: ${words.join(', ')}\n`)
  if (failed !== null) throw failed
}

const only = (indicator: Indicator): Extraction => ({
  indicators: [indicator],
  lines: 1,
  left: { notPublic: 0, tooLong: 0, tooMany: 0, cutLines: 0 },
})

const NOTHING = { id: null, reputation: null, accuracy: null, lastSeen: null, tags: [], networks: [] }
