import { useQueryClient } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { paths } from './schema.d.ts'

type GetPath = { [Path in keyof paths]: paths[Path] extends { get: unknown } ? Path : never }[keyof paths]

/** Fetches the GET paths again wherever they are shown, with all of their parameters. Resolves with the answers. */
export function useRefresh(): (...stale: GetPath[]) => Promise<void> {
  const queries = useQueryClient()
  return useCallback(
    async (...stale) => {
      await Promise.all(stale.map((path) => queries.invalidateQueries({ queryKey: ['get', path] })))
    },
    [queries],
  )
}
