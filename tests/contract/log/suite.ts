import { randomUUID } from 'node:crypto'
import { test as promise } from 'vitest'
import type { Batch, ConsumeOptions, Consumer, EventLog, TopicSpec } from '../../../connectors/log/port.ts'

export type OpenLog = () => Promise<EventLog>

/** Topics and groups of every test are its own, so that a broker that lives longer than a run does not mix them. */
export const unique = (name: string): string => `${name}-${randomUUID().slice(0, 8)}`

export const OPTIONS: Omit<ConsumeOptions, 'group' | 'topics'> = {
  maxRecords: 100,
  maxBytes: 1024 * 1024,
  lingerMs: 20,
}

export async function topicOn(log: EventLog, spec: Partial<TopicSpec> = {}): Promise<string> {
  const name = spec.name ?? unique('topic')
  await log.createTopics([{ name, partitions: 2, cleanup: 'delete', retentionMs: null, ...spec }])
  return name
}

export const numbered = (count: number, key: (i: number) => string | null = (i) => `key-${i % 7}`) =>
  Array.from({ length: count }, (_, i) => ({ key: key(i), value: Buffer.from(String(i)) }))

export const text = (value: Buffer | null): string => value?.toString() ?? 'null'

/** Waits until `holds`; fails the test, saying what it waited for, when that takes too long. */
export async function until(what: string, holds: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = performance.now() + ms
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`waited ${ms} ms in vain for: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Consumes into a list until `count` messages came, then stops. */
export async function take(log: EventLog, group: string, topic: string, count: number): Promise<Batch[]> {
  const batches: Batch[] = []
  const consumer = await log.consume({ ...OPTIONS, group, topics: [topic] }, async (batch) => {
    batches.push(batch)
  })
  await until(`${count} messages`, () => batches.reduce((sum, { messages }) => sum + messages.length, 0) >= count)
  await stopped(consumer)
  return batches
}

export async function stopped(consumer: Consumer): Promise<void> {
  await consumer.stop()
  await consumer.closed
}

/**
 * Tests of promises. An adapter is expected to fail those whose titles are in `unkept`, and to keep all others; a title
 * leaves the set when its promise is declared, so a title that is left over names no promise.
 */
export const promises =
  (unkept: Set<string>) =>
  (title: string, run: () => Promise<void>, ms?: number): void =>
    unkept.delete(title) ? promise.fails(title, run, ms) : promise(title, run, ms)
