/** Another reader of the same source did not read on. */
export class LeftBehind extends Error {
  constructor() {
    super('another reader of the list ended before its end')
  }
}

export type InStep<Value> = {
  readers: AsyncIterable<Value>[]
  /** Ends all readers with `LeftBehind`, and lets the source go: for a reader that will not read on, or never began. */
  leave(): void
}

/**
 * Several readers of one source, in step: the next value is asked for once all of them have taken the last one, so none
 * is kept. What the source throws, each of them throws; when one ends early, the others are left behind.
 */
export function inStep<Value>(source: AsyncIterable<Value>, count: number): InStep<Value> {
  const values = source[Symbol.asyncIterator]()
  let asked = 0
  let step = newStep<Value>()
  let isOver = false

  const next = async (): Promise<IteratorResult<Value>> => {
    if (isOver) throw new LeftBehind()
    const { promise, resolve, reject } = step
    asked++
    if (asked === count) {
      asked = 0
      step = newStep()
      values.next().then(resolve, reject)
    }
    return promise
  }

  const leave = (): void => {
    if (isOver) return
    isOver = true
    step.reject(new LeftBehind())
    // Not waited for: a source that hangs must not keep the reader from telling why it left.
    values.return?.().catch(() => undefined)
  }

  async function* reader(): AsyncGenerator<Value> {
    try {
      for (;;) {
        const { done, value } = await next()
        if (done) return
        yield value
      }
    } catch (error) {
      isOver = true
      throw error
    } finally {
      leave()
    }
  }

  return { readers: Array.from({ length: count }, reader), leave }
}

function newStep<Value>(): PromiseWithResolvers<IteratorResult<Value>> {
  const step = Promise.withResolvers<IteratorResult<Value>>()
  // Its readers may be gone.
  step.promise.catch(() => undefined)
  return step
}
