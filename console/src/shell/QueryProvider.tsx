import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, useMemo } from 'react'
import { asProblem } from '../api/problem.ts'
import { useCredentials } from '../session/caller.ts'

const TRIES = 2

/** The query cache that pages share. A new caller begins with an empty cache. */
export function QueryProvider({ children }: { children: ReactNode }) {
  const held = useCredentials()
  // biome-ignore lint/correctness/useExhaustiveDependencies: another caller is the reason for another client
  const queries = useMemo(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: {
            staleTime: 15_000,
            // A refusal repeats. A missing answer or a 503 may pass.
            retry: (count, error) => count < TRIES && isTransient(asProblem(error).status),
            retryDelay: (count) => 500 * 2 ** count,
          },
        },
      }),
    [held],
  )
  return <QueryClientProvider client={queries}>{children}</QueryClientProvider>
}

const isTransient = (status: number): boolean => status === 0 || status === 503
