import type { ReactNode } from 'react'
import { ErrorAlert } from './ErrorAlert.tsx'
import { Loading } from './Loading.tsx'

type Query<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown }

type Props<Data> = {
  of: Query<Data>
  /** The placeholder while loading; lines of text by default. */
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

/** One query: a placeholder while it loads, then its data or its error. */
export function QueryResult<Data>({ of, loading: waiting = <Loading />, children }: Props<Data>) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error) return <ErrorAlert error={of.error} again={() => void of.refetch()} />
  return <>{waiting}</>
}
