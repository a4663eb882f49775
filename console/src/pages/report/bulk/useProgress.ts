import { useEffect, useState } from 'react'
import type { Sender, SendProgressState } from './sender.ts'

/** Milliseconds between two looks: ten thousand lines are not worth ten thousand renderings. */
const EVERY_MS = 150

/** The progress of a sender, updated a few times a second. */
export function useProgress(sender: Sender): SendProgressState {
  const [progress, setProgress] = useState(sender.progress)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const look = () => {
      timer = undefined
      setProgress(sender.progress())
    }
    const leave = sender.subscribe(() => {
      timer ??= setTimeout(look, EVERY_MS)
    })
    look()
    return () => {
      clearTimeout(timer)
      leave()
    }
  }, [sender])
  return progress
}
