import { useSearchParams } from 'wouter'

/** The query parameters of the URL, and a function to change them; null removes a parameter. */
export function useAddress() {
  const [params, setParams] = useSearchParams()
  const setParameters = (changes: { [name: string]: string | number | null }): void =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changes))
          if (value === null) after.delete(name)
          else after.set(name, String(value))
        return after
      },
      { replace: true },
    )
  return [params, setParameters] as const
}

/** The page of a list that an address names, one-based. */
export function pageOf(params: URLSearchParams): number {
  const page = Number(params.get('page') ?? 1)
  return Number.isSafeInteger(page) && page > 1 ? Math.min(page, 1_000_000_000) : 1
}
