import { randomUUID } from 'node:crypto'
import type { Command } from 'commander'
import { FEEDS } from '../../pipelines/demo/corpus/feeds.ts'
import { claim, DEFAULTS, type DemoPorts, leftToApply, runLoad } from '../../pipelines/demo/load.ts'
import { pause } from '../../platform/pause.ts'
import { type CorpusSettings, type DemoLoad, isFree } from '../../schemas/operation/demo-load.ts'
import { Interrupted } from '../wiring/interruption/interrupted.ts'
import { UsageError } from '../wiring/process/usage.ts'
import { document, withJson } from './output.ts'
import { duration, type Measure, progressOf } from './progress.ts'
import { exactTime } from './values/relative-time.ts'
import { wholeNumber } from './values/values.ts'

export type DemoContext = DemoPorts & {
  /** Where a browser finds the platform. */
  url: string
  close(): Promise<void>
}

export type DemoProcess = {
  stdout: NodeJS.WritableStream
  stderr: NodeJS.WritableStream & { isTTY?: boolean }
  /** Aborted when the user interrupts. */
  signal: AbortSignal
}

type Flags = { entities: number; days: number; seed: number; json?: true }
type Wanted = Omit<CorpusSettings, 'end'>

const LOOK_MS = 500
/** Records that are not applied for this long are reported as waiting for jobs that do not run. */
const STALLED_MS = 20_000

/** How much of the reports is in the log and, of the second half, how much of that in the answers. */
type LoadProgress = { line: number; total: number; applied: number }
const LOADING: Measure<LoadProgress> = {
  done: ({ line, total, applied }) => (total === 0 ? 0 : (line + applied * total) / (2 * total)),
  counted: ({ line }) => line,
  says: ({ line, total }) => `${line} of ${total} reports`,
}

/** Adds `demo`. `open` connects the log once the flags are known to be right. */
export function registerDemo(program: Command, open: () => Promise<DemoContext>, process: DemoProcess): void {
  const { stdout, stderr, signal } = process
  withJson(program.command('demo'))
    .description(
      'load a demonstration of invented reports, on an empty platform or next to your own reports; a repeated run resumes an interrupted load and adds nothing twice',
    )
    .option('--entities <count>', 'number of entities', wholeNumber(100, 200_000), DEFAULTS.entities)
    .option('--days <count>', 'number of days that the reports cover, up to now', wholeNumber(7, 365), DEFAULTS.days)
    .option(
      '--seed <number>',
      'random seed; the same seed gives the same corpus',
      wholeNumber(0, 2 ** 32 - 1),
      DEFAULTS.seed,
    )
    .action(async ({ json, ...wanted }: Flags) => {
      const context = await open()
      try {
        await demo(context, wanted, json)
      } finally {
        await context.close()
      }
    })

  async function demo(context: DemoContext, wanted: Wanted, json: true | undefined): Promise<void> {
    const { loads, now } = context
    const before = await loads.current()
    if (before !== null && !same(before.corpus, wanted))
      throw new UsageError(`a different demonstration corpus is already loaded: ${describeCorpus(before.corpus)}`)
    const began = now()
    const load = before?.ended ? before : await runOrAwaitLoad(context, wanted)
    if (load === null) {
      const { line, total } = (await loads.current()) ?? { line: 0, total: 0 }
      throw new Interrupted(`${line} of ${total} reports are loaded`)
    }
    const seen = await waitUntilApplied(context, load)
    if (!seen && signal.aborted) throw new Interrupted('all reports are loaded; not all of them are searchable yet')
    const took = before?.ended ? ', nothing was added' : `, in ${duration(now() - began)}`
    if (json) {
      const { corpus, total } = load
      const added = !before?.ended
      return void stdout.write(
        document({ ...corpus, end: exactTime(corpus.end), reports: total, added, searchable: seen }),
      )
    }
    stdout.write(`${describeCorpus(load.corpus)}: ${load.total} reports of ${FEEDS.length} feeds${took}\n`)
    stdout.write(
      seen
        ? `Open ${context.url.replace(/\/+$/, '')}/\n`
        : 'The reports are in the log and wait for a platform that processes them; start one with: harrier up\n',
    )
    stderr.write(
      'Everything in it is reported by feeds called demo-*; harrier guide demo describes how to retract them.\n',
    )
  }

  /** The load once it has ended, whichever process did it; null when the user did not want to wait. */
  async function runOrAwaitLoad(context: DemoContext, wanted: Wanted): Promise<DemoLoad | null> {
    const { loads, now } = context
    const by = randomUUID()
    const progress = progressOf(stderr, 1, now, LOADING)
    const onProgress = ({ line, total }: DemoLoad): void => progress.update({ line, total, applied: 0 })
    try {
      for (;;) {
        let load = await claim(context, by, { ...wanted, end: now() })
        if (load.holder?.by === by) {
          const { interrupted } = await runLoad(context, load, { by, signal, paused: true, onProgress })
          if (interrupted) return null
        }
        // Another process loads: the platform, after a button was pressed, or another command.
        for (load = (await loads.current())!; !load.ended && !isFree(load, now()); load = (await loads.current())!) {
          if (signal.aborted) return null
          onProgress(load)
          await pause(LOOK_MS, signal)
        }
        if (load.ended) return load
      }
    } finally {
      progress.stop()
    }
  }

  /** Whether the jobs have applied all of it; false when they do not. */
  async function waitUntilApplied(context: DemoContext, load: DemoLoad): Promise<boolean> {
    const { total } = load
    const progress = progressOf(stderr, 1, context.now, LOADING)
    try {
      let most = 0
      let least = Number.POSITIVE_INFINITY
      for (let since = context.now(); !signal.aborted; await pause(LOOK_MS, signal)) {
        const left = await leftToApply(context, load)
        if (left === 0) return true
        if (left < least) since = context.now()
        if (context.now() - since > STALLED_MS) return false
        least = left
        most = Math.max(most, left)
        progress.update({ line: total, total, applied: 1 - left / most })
      }
      return false
    } finally {
      progress.stop()
    }
  }
}

const same = (corpus: CorpusSettings, { entities, days, seed }: Wanted): boolean =>
  corpus.entities === entities && corpus.days === days && corpus.seed === seed

const describeCorpus = ({ entities, days, seed }: Wanted): string =>
  `${entities} entities over ${days} days, seed ${seed}`
