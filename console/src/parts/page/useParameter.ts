import { useCallback } from 'react'
import { useSearchParams } from 'wouter'

/** A parameter of the address, and how to change it; empty ones leave the address. No entry of the history is made. */
export function useParameter(name: string): [value: string | null, change: (value: string) => void] {
  const [parameters, set] = useSearchParams()
  const change = useCallback(
    (value: string) =>
      set(
        (before) => {
          const after = new URLSearchParams(before)
          if (value === '') after.delete(name)
          else after.set(name, value)
          return after
        },
        { replace: true },
      ),
    [name, set],
  )
  return [parameters.get(name), change]
}
