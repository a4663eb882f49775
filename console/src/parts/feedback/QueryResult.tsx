import type { ReactNode } from 'react'
import { Refused } from './ErrorAlert.tsx'
import { Waiting } from './Loading.tsx'

type Asked<Data> = { data: Data | undefined; error: unknown; refetch: () => unknown }

type Props<Data> = {
  of: Asked<Data>
  /** What stands there meanwhile; lines of text by default. */
  waiting?: ReactNode
  children: (data: Data) => ReactNode
}

/** One answer of the platform: its shape while it is on its way, then what it says or why it was refused. */
export function Answered<Data>({ of, waiting = <Waiting />, children }: Props<Data>) {
  if (of.data !== undefined) return <>{children(of.data)}</>
  if (of.error) return <Refused error={of.error} again={() => void of.refetch()} />
  return <>{waiting}</>
}
