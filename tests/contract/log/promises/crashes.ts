import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import type { Batch } from '../../../../connectors/log/port.ts'
import { openLog } from '../children/open.ts'
import { numbered, OPTIONS, stopped, text, topicOn, unique, until } from '../suite.ts'

type Child = { process: ChildProcess; lines: string[]; kill: () => Promise<void> }

export function run(script: string, ...args: string[]): Child {
  const path = fileURLToPath(new URL(`../children/${script}.ts`, import.meta.url))
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const lines: string[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) lines.push(part)
  })
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const kill = async () => {
    child.kill('SIGKILL')
    await closed
  }
  return { process: child, lines, kill }
}

/** The promises of the port about processes that are killed without a word. */
export function crashContract(name: string, where: string): void {
  describe(`${name}: crashes`, () => {
    const opened = openLog(where)
    afterAll(async () => (await opened).close())

    test('what was acknowledged to a producer that is killed is there, once, and in order', async () => {
      const log = await opened
      const topic = await topicOn(log)
      const acked = new Set<string>()
      const rounds = 2
      for (let round = 0; round < rounds; round++) {
        const producer = run('produce', where, topic, `p${round}`)
        await until('the producer is under way', () => producer.lines.length > 200)
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 200))
        await producer.kill()
        for (const line of producer.lines) acked.add(line)
      }
      const found = new Map<string, number>()
      const last = new Map<string, [number, number]>()
      let disorder = 0
      for (const { partition, high } of await log.offsets(topic))
        for (const { key, value } of await log.read(topic, partition, 0, high, high)) {
          const id = text(value)
          found.set(id, (found.get(id) ?? 0) + 1)
          const [, , batch, n] = id.split('-').map(Number) as [number, number, number, number]
          const [lastBatch, lastN] = last.get(text(key)) ?? [-1, -1]
          if (batch < lastBatch || (batch === lastBatch && n <= lastN)) disorder++
          last.set(text(key), [batch, n])
        }
      const lost = [...acked].filter((id) => !found.has(id)).length
      const doubled = [...found.values()].filter((times) => times > 1).length
      console.log(
        `${name}: ${rounds} kills, acked ${acked.size}, found ${found.size}, lost ${lost}, doubled ${doubled}, out of order ${disorder}`,
      )
      expect({ lost, doubled, disorder }).toEqual({ lost: 0, doubled: 0, disorder: 0 })
    })

    test('the range that a killed consumer had begun comes to the next one exactly, and nothing is left out', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await log.send([{ topic, messages: numbered(200) }])
      const victim = run('consume', where, group, topic)
      await until('a second range is begun', () => victim.lines.filter((line) => line.includes('begun')).length >= 2)
      await victim.kill()
      const said = victim.lines.map((line) => JSON.parse(line))
      const done = said.filter((line) => line.said === 'done').map(({ to }) => to)
      const begun = said.filter((line) => line.said === 'begun').at(-1)
      await log.send([{ topic, messages: numbered(300) }])

      const seen: Batch[] = []
      const next = await log.consume(
        { ...OPTIONS, maxRecords: 7, group, topics: [topic], intent: () => 'mine' },
        async (batch) => {
          seen.push(batch)
        },
      )
      await until('all is read', () => seen.at(-1)?.to === 500)
      await stopped(next)
      const [first] = seen
      // The kill may fall between a commit and what the child could still say of it; then nothing is open.
      if (first?.redelivered) {
        expect(first).toMatchObject({ from: begun.from, to: begun.to, note: begun.note })
        expect(first.messages.map(({ value }) => text(value))).toEqual(begun.values)
      } else expect(first?.from).toBe(done.at(-1))
      expect(seen.map(({ from }) => from).slice(1)).toEqual(seen.map(({ to }) => to).slice(0, -1))
    })

    test('a member that was taken for dead cannot commit what it finishes later', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 1 }), unique('group')]
      await log.send([{ topic, messages: numbered(60) }])
      const victim = run('consume', where, group, topic)
      await until('a range is begun', () => victim.lines.some((line) => line.includes('begun')))
      victim.process.kill('SIGSTOP')
      const seen: Batch[] = []
      const consumer = await log.consume(
        { ...OPTIONS, group, topics: [topic], intent: () => 'other' },
        async (batch) => {
          seen.push(batch)
        },
      )
      await until('the other one has read all', () => seen.at(-1)?.to === 60)
      const said = victim.lines.length
      victim.process.kill('SIGCONT')
      await until('the stale one goes on', () => victim.lines.length > said)
      await new Promise((resolve) => setTimeout(resolve, 300))
      expect(await log.committed(group, topic)).toEqual([{ partition: 0, offset: 60 }])
      await victim.kill()
      await stopped(consumer)
    })

    test('a member that dies is replaced, and one that lives goes on meanwhile', async () => {
      const log = await opened
      const [topic, group] = [await topicOn(log, { partitions: 2 }), unique('group')]
      const victim = run('consume', where, group, topic)
      const fill = () =>
        log.send([{ topic, messages: [0, 1].map((partition) => ({ key: 'k', value: Buffer.from('v'), partition })) }])
      const mine = new Set<number>()
      const consumer = await log.consume(
        { ...OPTIONS, group, topics: [topic] },
        async ({ partition }) => void mine.add(partition),
      )
      const theirs = () => victim.lines.length > 0
      await until('both have a partition', async () => {
        await fill()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return theirs() && mine.size > 0
      })
      await victim.kill()
      mine.clear()
      await until('the one that lives has both', async () => {
        await fill()
        await new Promise((resolve) => setTimeout(resolve, 50))
        return mine.size === 2
      })
      await stopped(consumer)
    })
  })
}
