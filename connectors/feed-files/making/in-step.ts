/** Another reader of the same list did not read on. */
export class LeftBehind extends Error {
  constructor() {
    super('another reader of the list ended before its end')
  }
}

/**
 * Several readers of one source, in step: the next value is asked for once all of them have taken the last one, so none
 * is kept. What the source throws, each of them throws; when one ends early, the others throw `LeftBehind`.
 */
export function inStep<Value>(source: AsyncIterable<Value>, readers: number): AsyncIterable<Value>[] {
  const values = source[Symbol.asyncIterator]()
  let asked = 0
  let step = newStep<Value>()
  let left = false

  const next = (): Promise<IteratorResult<Value>> => {
    if (left) return Promise.reject(new LeftBehind())
    const { promise, resolve, reject } = step
    asked++
    if (asked === readers) {
      asked = 0
      step = newStep()
      values.next().then(resolve, reject)
    }
    return promise
  }

  async function* reader(): AsyncGenerator<Value> {
    let isOver = false
    try {
      for (;;) {
        const { done, value } = await next().catch((error: unknown) => {
          isOver = true
          throw error
        })
        isOver = done === true
        if (done) return
        yield value
      }
    } finally {
      if (!isOver && !left) {
        left = true
        step.reject(new LeftBehind())
        await values.return?.()
      }
    }
  }

  return Array.from({ length: readers }, reader)
}

function newStep<Value>(): PromiseWithResolvers<IteratorResult<Value>> {
  const step = Promise.withResolvers<IteratorResult<Value>>()
  // Its readers may be gone.
  step.promise.catch(() => undefined)
  return step
}
