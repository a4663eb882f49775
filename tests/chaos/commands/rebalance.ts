import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { type Role, startRole } from '../../../cli/wiring/process/start-role.ts'
import { accepted, applied, now } from '../harness/measured.ts'
import { bounded, command, type Outcome } from '../harness/outcome.ts'
import { startBroker } from '../harness/servers/broker.ts'
import { onStage, type Stage } from '../harness/stage.ts'

const CLIENTS = 8
/** A member that was killed keeps its partitions for the session of Kafka, 30 s, or the lease of the embedded log, 5 s. */
const CATCH_UP_MS = 90_000
const JOIN_MS = 30_000
const silent = pino({ level: 'silent' })

type Options = { from: number; to: number; seconds: number; rate: number }

/** `brokers` undefined: the embedded log. */
export async function membersMove(
  stage: Stage,
  { from, to, seconds, rate }: Options,
  brokers: string | undefined,
  print: (line: string) => void,
): Promise<Outcome> {
  const others: Role[] = []
  const env = { ...stage.env, HARRIER_DATA_DIR: stage.dataDir, HARRIER_LOG_LEVEL: 'silent' }
  try {
    const log = await stage.openLog()
    const load = stage.load(CLIENTS, rate)
    const delays: number[] = []
    const step = async (): Promise<void> => {
      delays.push(await applied(log, CATCH_UP_MS))
      await sleep(seconds * 1000)
    }
    const grow = async (): Promise<void> => {
      const role = startRole('observe', env, silent, () => undefined)
      others.push(role)
      await Promise.race([role.running(), sleep(JOIN_MS, undefined, { ref: false })])
    }
    // The platform has one of its own.
    while (others.length < from - 1) await grow()
    await step()
    while (others.length < to - 1) {
      await grow()
      await step()
    }
    const most = others.length + 1
    const [growing, shrinking] = [delays.splice(0), delays]
    while (others.length > from - 1) {
      const role = others.pop()!
      // By turns one that leaves and one that dies, whose partitions the others have to miss.
      if (others.length % 2 === 0) process.kill(role.pid!, 'SIGKILL')
      await role.stop()
      await step()
    }
    const all = accepted(load.told, 0, now())
    await load.stop()
    await log.close()
    const worst = (of: readonly number[]) => Math.max(...of)
    print(
      `${brokers === undefined ? 'embedded' : 'kafka'}: ${from} to ${most} to ${others.length + 1} processes; all applied after at most ${(worst(growing) / 1000).toFixed(1)} s while they grew, ${(worst(shrinking) / 1000).toFixed(1)} s while they left and died; ${all.count} 202s, p99 ${all.p99.toFixed(0)} ms`,
    )
    const slowest = worst([...growing, ...shrinking])
    return {
      figures: { 'slowest catch-up ms': slowest },
      faults: bounded([{ name: 'the slowest catch-up', is: slowest, atMost: CATCH_UP_MS }]),
    }
  } finally {
    await Promise.all(others.map((role) => role.stop()))
  }
}

export const rebalance = command({
  what: 'observe processes come and go under load, on Kafka or on the embedded log with its leases',
  options: { log: 'both', from: 1, to: 8, seconds: 2, rate: 60 },
  async run({ log, ...options }, print) {
    if (!['both', 'kafka', 'embedded'].includes(log)) throw new Error('--log must be both, kafka or embedded')
    const outcomes: Outcome[] = []
    const moved = (brokers?: string) => (stage: Stage) => membersMove(stage, options, brokers, print)
    if (log !== 'kafka') outcomes.push(await onStage({ ownEngine: true }, moved(undefined)))
    if (log !== 'embedded') {
      const broker = await startBroker()
      try {
        outcomes.push(await onStage({ ownEngine: true, brokers: broker.brokers }, moved(broker.brokers)))
      } finally {
        await broker.remove()
      }
    }
    return sum(outcomes)
  },
})

/** Counts of both logs together; of times the longest. */
function sum(outcomes: readonly Outcome[]): Outcome {
  const figures: Record<string, number> = {}
  for (const outcome of outcomes)
    for (const [name, value] of Object.entries(outcome.figures)) {
      const before = figures[name] ?? 0
      figures[name] = name.endsWith(' ms') ? Math.max(before, Number(value)) : before + Number(value)
    }
  return { figures, faults: outcomes.flatMap(({ faults }) => faults) }
}
