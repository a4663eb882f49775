import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { paths } from './schema.d.ts'

type GetPath = { [Path in keyof paths]: paths[Path] extends { get: unknown } ? Path : never }[keyof paths]

/** Asks these addresses again wherever they are shown, whatever their parameters; resolves when they are answered. */
export function useRefresh(): (...stale: GetPath[]) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    async (...asked) => {
      await Promise.all(asked.map((path) => queries.invalidateQueries({ queryKey: ['get', path] })))
    },
    [queries],
  )
}
