import { useCallback, useEffect, useRef } from 'react'

const EVERY_MS = 250

/** Gathers what comes one by one, and hands it over a few times a second: a page is drawn once for many. */
export function useBatched<T>(take: (batch: readonly T[]) => void): (one: T) => void {
  const waiting = useRef<T[]>([])
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null)
  const taker = useRef(take)
  taker.current = take
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current)
      timer.current = null
      waiting.current = []
    },
    [],
  )
  return useCallback((one) => {
    waiting.current.push(one)
    timer.current ??= setTimeout(() => {
      timer.current = null
      taker.current(waiting.current.splice(0))
    }, EVERY_MS)
  }, [])
}
