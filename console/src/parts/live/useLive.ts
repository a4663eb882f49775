import { useEffect, useRef, useState } from 'react'
import type { Problem } from '../../api/problem.ts'
import { useCredentials } from '../../session/caller.ts'
import type { ChangeEvent, ChangeFilter } from './events.ts'
import { type FollowState, follow } from './follow.ts'
import { streamPorts } from './ports.ts'

/** A tab that nobody looks at gives its place back after so long. */
const HIDDEN_MS = 3 * 60_000

export type LiveState = FollowState | 'paused'

export type Live = { state: LiveState; problem: Problem | null }

type Handlers = {
  onChange: (change: ChangeEvent) => void
  /** Changes were missed: what is shown has to be read anew. */
  onGap: () => void
}

/**
 * Follows the changes while `on`, and closes the stream when the page is left, paused, or hidden for some minutes; it goes
 * on from where it was. Another caller or another filter begins anew.
 */
export function useLive(on: boolean, paused: boolean, filter: ChangeFilter, handlers: Handlers): Live {
  const [live, setLive] = useState<Live>({ state: 'connecting', problem: null })
  const cursor = useRef<string | null>(null)
  const told = useRef(handlers)
  told.current = handlers
  const caller = useCredentials()
  const hidden = useHiddenFor(HIDDEN_MS)
  const text = JSON.stringify(filter)
  const of = useRef({ caller, text })
  const still = paused || hidden
  useEffect(() => {
    if (of.current.caller !== caller || of.current.text !== text || !on) cursor.current = null
    of.current = { caller, text }
    if (!on) return
    if (still) return setLive({ state: 'paused', problem: null })
    const ended = new AbortController()
    void follow(streamPorts(JSON.parse(text) as ChangeFilter), {
      since: cursor.current,
      signal: ended.signal,
      onChange: (change) => told.current.onChange(change),
      onCursor: (next) => {
        cursor.current = next
        if (next === null) told.current.onGap()
      },
      onState: (state, problem) => setLive({ state, problem }),
    })
    return () => ended.abort()
  }, [on, still, caller, text])
  return live
}

/** Whether the tab has been out of sight for `ms` milliseconds. */
function useHiddenFor(ms: number): boolean {
  const [hidden, setHidden] = useState(false)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = (): void => {
      clearTimeout(timer)
      if (document.visibilityState === 'visible') setHidden(false)
      else timer = setTimeout(() => setHidden(true), ms)
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [ms])
  return hidden
}
