import { parentPort, workerData } from 'node:worker_threads'
import { formatNamed } from '../../../schemas/feeds-out/formats/format-table.ts'
import { type ListFacts, type WrittenList, writeList } from './write-list.ts'

/** What a thread is started with; formats by their names. */
export type Task = { list: ListFacts; files: { format: string; path: string }[] }

/** A piece of the rows, or null at their end. */
export type Given = Uint8Array | null

/** A piece was taken; or what came of the list. */
export type Told = { taken: true } | { written: WrittenList[] } | { failed: string }

/** A thread that writes one list and ends. */
const { list, files } = workerData as Task
const port = parentPort!
const tell = (told: Told): void => port.postMessage(told)

const waiting: Given[] = []
let wake = (): void => undefined
port.on('message', (given: Given) => {
  waiting.push(given)
  wake()
})

async function* rows(): AsyncGenerator<Uint8Array> {
  for (;;) {
    if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    const given = waiting.shift()!
    if (given === null) return
    yield given
    tell({ taken: true })
  }
}

try {
  const named = files.map(({ format, path }) => ({ format: formatNamed(format)!, path }))
  tell({ written: await writeList(list, rows(), named) })
} catch (error) {
  tell({ failed: (error as Error).message })
}
port.close()
