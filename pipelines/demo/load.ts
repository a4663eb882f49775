import { setImmediate as breath } from 'node:timers/promises'
import type { EventLog } from '../../connectors/log/port.ts'
import type { DemoLoads } from '../../connectors/operations/demo-loads/port.ts'
import { OBSERVATIONS, OBSERVERS } from '../../schemas/log/topics.ts'
import { type CorpusSettings, type DemoLoad, type DemoState, isFree } from '../../schemas/operation/demo-load.ts'
import { importIds } from '../import/import-ids.ts'
import { type PublicationPorts, runPublication } from '../import/publication.ts'
import { endOffsets, lagOf } from '../runtime/lag.ts'
import { type Corpus, type DemoReport, planCorpus } from './corpus/corpus.ts'

export type DemoPorts = Omit<PublicationPorts, 'log'> & {
  log: Pick<EventLog, 'send' | 'offsets' | 'read' | 'committed'>
  loads: DemoLoads
  /** Unix milliseconds. */
  now: () => number
}

/** The default corpus. */
export const DEFAULTS = { entities: 50_000, days: 60, seed: 1 }

/** Reports that are written out before others may have the processor, some 10 ms, and observations of a batch. */
const PORTION = 100
const BATCH = 5_000

/** Another process continues with the load. */
export class LoadTaken extends Error {}

/** Takes over the load, beginning it if there is none; returns its state, whichever process owns it. */
export async function claim(
  { loads, now }: Pick<DemoPorts, 'loads' | 'now'>,
  by: string,
  wanted: CorpusSettings,
): Promise<DemoLoad> {
  const before = await loads.current()
  if (before === null) return (await loads.append({ kind: 'begin', by, at: now(), corpus: wanted }))!
  if (!isFree(before, now())) return before
  return (await loads.append({ kind: 'take', by, at: now() }))!
}

/**
 * corpus -> observations -> log, from the current position of the load to its end, each observation once (ADR 273,
 * 142). Its row in `demo.loads` corresponds to the checkpoint file of a feed import.
 * @param options.paused whether no process continues by itself once `signal` has stopped it
 * @throws LoadTaken when another process has the load
 */
export async function runLoad(
  ports: DemoPorts,
  load: DemoLoad,
  options: { by: string; signal: AbortSignal; paused: boolean; onProgress?: (load: DemoLoad) => void },
): Promise<{ interrupted: boolean }> {
  const { log, loads, now } = ports
  const { by, signal } = options
  const corpus = await planInSteps(load.corpus)
  const { corpus: settings } = load
  let { line } = load

  const { interrupted } = await runPublication<DemoReport>(ports, {
    ids: importIds(`demo ${settings.entities} ${settings.days} ${settings.seed} ${settings.end}`),
    items: portions(corpus, line),
    provenanceOf: ({ provenance }) => provenance,
    // Without watermarks no observation has been sent yet.
    resumed: load.watermarks.length === 0 ? null : load,
    maxObservations: BATCH,
    signal,
    async save(watermarks) {
      const { reports: total } = corpus
      const state = await loads.append({ kind: 'progress', by, at: now(), line, total, watermarks })
      if (state?.holder?.by !== by) throw new LoadTaken('another process took over loading the demonstration corpus')
      options.onProgress?.(state)
    },
    async sent(batch) {
      const fault = batch.rejected[0]
      if (fault !== undefined)
        throw new Error(`report ${fault.line} of the demonstration corpus was rejected: ${fault.rejected}`)
      line = batch.line
    },
  })
  if (interrupted) await loads.append({ kind: 'leave', by, at: now(), paused: options.paused })
  else await loads.append({ kind: 'end', by, at: now(), watermarks: await endOffsets(log, OBSERVATIONS) })
  return { interrupted }
}

/** Records of a load that has ended which the jobs have not applied yet. */
export const leftToApply = ({ log }: Pick<DemoPorts, 'log'>, { watermarks }: DemoLoad): Promise<number> =>
  lagOf(log, OBSERVERS, OBSERVATIONS, watermarks)

/** The reported state of the load. */
export async function stateOf(ports: DemoPorts, load: DemoLoad | null): Promise<DemoState> {
  if (load === null) return { state: 'none', entities: 0, loaded: 0, total: 0 }
  const seen = load.ended && (await leftToApply(ports, load)) === 0
  const { corpus, line: loaded, total } = load
  return { state: seen ? 'loaded' : 'loading', entities: corpus.entities, loaded, total }
}

async function planInSteps(settings: CorpusSettings): Promise<Corpus> {
  for (const plan = planCorpus(settings); ; await breath()) {
    const step = plan.next()
    if (step.done) return step.value
  }
}

async function* portions(corpus: Corpus, line: number): AsyncGenerator<DemoReport[]> {
  let portion: DemoReport[] = []
  for (const report of corpus.after(line)) {
    if (portion.push(report) < PORTION) continue
    yield portion
    portion = []
    await breath()
  }
  if (portion.length > 0) yield portion
}
